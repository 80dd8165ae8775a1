// One feature: its own values. More: signed distance along the normal, oriented as the written rule is.
function valueScale(node) {
  const scaled = v => v / node.weights[0];
  return { of: scaled, at: scaled(node.threshold), flipped: node.weights[0] < 0, name: data.features[node.features[0]] };
}
function distanceScale(node) {
  const largest = node.weights.reduce((best, w) => (Math.abs(w) > Math.abs(best) ? w : best), 0);
  const length = Math.sign(largest) * Math.hypot(...node.weights);
  return { of: v => (v - node.threshold) / length, at: 0, flipped: largest < 0, name: "signed distance from the plane" };
}

function weightedSum(node, sample) {
  let sum = 0;
  node.features.forEach((feature, i) => { sum += node.weights[i] * valueOf(sample, feature); });
  return sum;
}

// Beside the line, or, where there is no room before the frame, inside it on a line of its own.
function sideWord(word, after, at) {
  const narrow = after ? W - R - at < 30 : at - L < 30;
  const x = narrow ? (after ? W - R - 4 : L + 4) : at + (after ? 6 : -6);
  return svg("text", { class: "side-word", x, y: narrow ? T + 32 : T + 15, "text-anchor": after !== narrow ? "start" : "end" }, word);
}

function histogram(id, here, axis) {
  const node = nodes[id];
  const values = here.map(i => axis.of(weightedSum(node, samples[i])));
  const current = state.sample && state.lit && state.lit.has(id) ? axis.of(weightedSum(node, state.sample)) : NaN;
  const known = [...values, axis.at, ...(Number.isNaN(current) ? [] : [current])];
  const [low, high] = extent(known, 0);
  const bins = Math.max(8, Math.min(36, Math.round(1.6 * Math.sqrt(here.length))));
  const width = (high - low) / bins || 1;
  const first = -Math.ceil((axis.at - low) / width - 1e-9);
  const last = Math.floor((high - axis.at) / width + 1e-9) + 1;
  const counts = Array.from({ length: last - first }, () => data.classes.map(() => 0));
  values.forEach((value, at) => {
    const bin = Math.floor((value - axis.at) / width) - first;
    counts[Math.max(0, Math.min(counts.length - 1, bin))][data.samples.codes[here[at]]]++;
  });
  const x = scale([axis.at + first * width, axis.at + last * width], L, W - R);
  const y = scale([0, 1.18 * Math.max(...counts.map(c => c.reduce((a, b) => a + b)))], H - B, T);
  const [plot, body] = frame(`Histogram of the split ${ruleText(id)}`, x, y, [axis.name, "rows"]);
  const strip = (from, to, attributes) => body.append(svg("rect", { x: Math.min(x(from), x(to)), y: T, width: Math.abs(x(to) - x(from)), height: H - T - B, ...attributes }));
  const [left, right] = sideColors(node);
  strip(axis.at, x.domain[axis.flipped ? 0 : 1], { class: "left", fill: left });
  strip(axis.at, x.domain[axis.flipped ? 1 : 0], { class: "right", fill: right });
  strip(...node.band.map(end => Math.max(x.domain[0], Math.min(x.domain[1], axis.of(end)))), { class: "band" });
  counts.forEach((classes, bin) => {
    let base = 0;
    classes.forEach((count, code) => {
      if (!count) return;
      const from = axis.at + (first + bin) * width;
      body.append(svg("rect", { class: "bar-part", x: x(from), y: y(base + count), width: x(from + width) - x(from), height: y(base) - y(base + count), style: `--class:${color(code)}` }));
      base += count;
    });
  });
  body.append(svg("line", { class: "plane", x1: x(axis.at), x2: x(axis.at), y1: T, y2: H - B }));
  for (const [word, after] of [["yes", !axis.flipped], ["no", axis.flipped]]) {
    body.append(sideWord(word, after, x(axis.at)));
  }
  if (!Number.isNaN(current)) {
    body.append(svg("line", { class: "here", x1: x(current), x2: x(current), y1: T, y2: H - B }), svg("circle", { class: "here base", cx: x(current), cy: H - B, r: 5 }));
  }
  return plot;
}
