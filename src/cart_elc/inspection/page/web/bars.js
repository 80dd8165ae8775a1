// A bar and the number beside it are the same: the coefficient times the standard deviation of its feature here.
const MOST_BARS = 12;
function coefficientBars(id) {
  const { features } = nodes[id].rule;
  const sizes = effects(id);
  const shown = largestEffects(id);
  const most = Math.max(...sizes.map(Math.abs)) || 1;
  const height = shown.length * 22 + 8;
  const [from, to] = [Math.min(170, 0.42 * W), W - 62];
  const middle = (from + to) / 2;
  const plot = svg("svg", { class: "plot", viewBox: `0 0 ${W} ${height}`, role: "img", "aria-label": `Weight of ${shown.map(i => `${data.features[features[i]]} ${short(Number(sizes[i].toPrecision(3)))}`).join(", ")}` });
  shown.forEach((i, at) => {
    const size = ((sizes[i] / most) * (to - from)) / 2;
    const y = 4 + at * 22;
    plot.append(
      fittingText({ class: "name", x: from - 8, y: y + 13, "text-anchor": "end" }, data.features[features[i]], from - 12),
      svg("rect", { class: "coefficient", x: Math.min(middle, middle + size), y: y + 2, width: Math.abs(size), height: 14, rx: 2 }),
      svg("text", { x: W - 4, y: y + 13, "text-anchor": "end" }, short(Number(sizes[i].toPrecision(3)))),
    );
  });
  plot.append(svg("line", { class: "axis", x1: middle, x2: middle, y1: 0, y2: height }));
  return plot;
}

function largestEffects(id) {
  const sizes = effects(id).map(Math.abs);
  return sizes.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a]).slice(0, MOST_BARS).sort((a, b) => a - b);
}

function barsCaption(id) {
  const n = nodes[id].rule.features.length;
  const which = n > MOST_BARS ? `the ${MOST_BARS} largest of ${n} coefficients` : "coefficients";
  return `#${id}: ${which}${nodes[id].spread ? ", each times the standard deviation of its feature here" : " of the rule"}.`;
}
