// The rows of a split in its own view: a line for one feature, a plane for two, the normal for more.
// Plots are as wide as the panel, so that their text has its own size.
const L = 52, R = 10, T = 10, B = 44;
let W = 400, H = 290;
function measurePlots() {
  W = Math.max(220, byId("node-body").clientWidth || 400);
  H = Math.max(200, Math.min(290, 0.75 * W));
}

function splitPlot(id) {
  const node = nodes[id];
  measurePlots();
  const here = samples ? passing[id].filter(i => !sideOf(node, samples[i]).lacking.length) : [];
  if (!here.length) return node.features.length > 2 ? figure(coefficientBars(id), barsCaption(id)) : null;
  if (node.levels) return figure(levelBars(id, here), caption(id, here));
  if (node.features.length === 1) return figure(histogram(id, here, valueScale(node)), caption(id, here));
  if (node.features.length === 2) return figure(plane(id, here), caption(id, here));
  return html("div", {}, figure(coefficientBars(id), barsCaption(id)),
    figure(histogram(id, here, distanceScale(node)), caption(id, here)));
}

const figure = (drawing, text) => html("figure", {}, drawing, html("figcaption", {}, text));

function caption(id, here) {
  const { n, lacking, missing } = nodes[id];
  const parts = [`#${id}: ` + (here.length < n - lacking ? `${here.length.toLocaleString("en")} of ${plural(n, "row")} drawn` : plural(here.length, "row"))];
  if (nodes[id].features.length === 2 && nodes[id].features.some(feature => wholeSteps(here, feature))) parts.push("whole numbers are spread a little");
  if (lacking) parts.push(`${lacking.toLocaleString("en")} with a missing value go ${{ left: "to yes", right: "to no", both: "both ways" }[missing]}`);
  if (!nodes[id].levels) parts.push("grey: the band without rows");
  return `${parts.join("; ")}.`;
}

function ticks(low, high, wanted = 5) {
  const raw = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find(s => s * power >= raw) * power;
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; i++) found.push(i * step);
  return found;
}
const tickText = value => (Math.abs(value) >= 1e5 || (value && Math.abs(value) < 1e-4) ? value.toExponential(1) : minus(String(Number(value.toPrecision(6)))));

function extent(values, share = 0.06) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) { low = Math.min(low, value); high = Math.max(high, value); }
  const gap = high > low ? (high - low) * share : Math.abs(high) / 10 || 1;
  return [low - gap, high + gap];
}

function frame(label, x, y, [xName, yName], levels = null) {
  const plot = svg("svg", { class: "plot", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label });
  const body = svg("g", { "aria-hidden": "true" });
  plot.append(body, svg("rect", { class: "ground", x: L, y: T, width: W - L - R, height: H - T - B }));
  if (levels) levels.forEach((level, at) => plot.append(fittingText({ x: x(at + 0.5), y: H - B + 16, "text-anchor": "middle" }, level, x(1) - x(0) - 4)));
  else for (const value of ticks(...x.domain, W < 320 ? 3 : 5)) plot.append(svg("text", { x: x(value), y: H - B + 16, "text-anchor": "middle" }, tickText(value)));
  for (const value of ticks(...y.domain, 4)) plot.append(svg("text", { x: L - 5, y: y(value) + 4, "text-anchor": "end" }, tickText(value)));
  plot.append(fittingText({ x: (L + W - R) / 2, y: H - 5, "text-anchor": "middle" }, xName, W - L - R));
  const middle = (T + H - B) / 2;
  plot.append(fittingText({ x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, yName, H - T - B));
  return [plot, body];
}

function scale(domain, from, to) {
  const map = value => from + ((value - domain[0]) / (domain[1] - domain[0])) * (to - from);
  map.domain = domain;
  return map;
}

const sideColors = node => [color(nodes[node.left].majority), color(nodes[node.right].majority)];
