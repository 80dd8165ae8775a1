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
  const here = samples ? passing[id].filter(i => node.features.every(f => !Number.isNaN(valueOf(samples[i], f)))) : [];
  if (!here.length) return node.features.length > 2 ? figure(coefficientBars(id), barsCaption(id)) : null;
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
  parts.push("grey: the band without rows");
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

function frame(label, x, y, [xName, yName]) {
  const plot = svg("svg", { class: "plot", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label });
  const body = svg("g", { "aria-hidden": "true" });
  plot.append(body, svg("rect", { class: "ground", x: L, y: T, width: W - L - R, height: H - T - B }));
  for (const value of ticks(...x.domain, W < 320 ? 3 : 5)) plot.append(svg("text", { x: x(value), y: H - B + 16, "text-anchor": "middle" }, tickText(value)));
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

// The part of a polygon where f >= level (or <=), f linear: corners are kept or replaced by crossings of its edges.
function clip(polygon, f, level, above) {
  const inside = p => (above ? f(p) >= level : f(p) <= level);
  return polygon.flatMap((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const kept = inside(p) ? [p] : [];
    if (inside(p) !== inside(q)) {
      const s = (level - f(p)) / (f(q) - f(p));
      kept.push([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]);
    }
    return kept;
  });
}

function plane(id, here) {
  const node = nodes[id];
  const [fx, fy] = node.features;
  const xs = here.map(i => valueOf(samples[i], fx));
  const ys = here.map(i => valueOf(samples[i], fy));
  const current = state.sample && [valueOf(state.sample, fx), valueOf(state.sample, fy)];
  const shown = current && state.lit && state.lit.has(id) && current.every(v => !Number.isNaN(v));
  const x = scale(extent(shown ? [...xs, current[0]] : xs), L, W - R);
  const y = scale(extent(shown ? [...ys, current[1]] : ys), H - B, T);
  const [plot, body] = frame(`Scatter plot of the split ${ruleText(id)}`, x, y, [data.features[fx], data.features[fy]]);
  const corners = [[x.domain[0], y.domain[0]], [x.domain[1], y.domain[0]], [x.domain[1], y.domain[1]], [x.domain[0], y.domain[1]]];
  const f = p => node.weights[0] * p[0] + node.weights[1] * p[1];
  const path = polygon => polygon.map((p, i) => `${i ? "L" : "M"}${x(p[0]).toFixed(2)} ${y(p[1]).toFixed(2)}`).join("") + "Z";
  const [left, right] = sideColors(node);
  const add = (polygon, attributes) => { if (polygon.length > 2) body.append(svg("path", { d: path(polygon), ...attributes })); };
  add(clip(corners, f, node.threshold, true), { class: "left", fill: left });
  add(clip(corners, f, node.threshold, false), { class: "right", fill: right });
  add(clip(clip(corners, f, node.band[0], true), f, node.band[1], false), { class: "band" });
  const ends = clip(corners, f, node.threshold, true).filter(p => Math.abs(f(p) - node.threshold) <= 1e-9 * (Math.abs(node.threshold) + Math.abs(f(corners[0]) - f(corners[2]))));
  const radius = Math.max(2.2, Math.min(4.2, 60 / Math.sqrt(here.length)));
  const spread = [wholeSteps(here, fx), wholeSteps(here, fy)];
  here.forEach((i, at) => {
    const [atX, atY] = jittered([xs[at], ys[at]], i, spread, p => f(p) >= node.threshold);
    body.append(point(i, x(atX), y(atY), radius));
  });
  if (ends.length >= 2) body.append(svg("line", { class: "plane", x1: x(ends[0][0]), y1: y(ends[0][1]), x2: x(ends[1][0]), y2: y(ends[1][1]) }));
  // The word of each side is in the corner that is farthest from the line.
  const order = [...corners].sort((p, q) => f(p) - f(q));
  for (const [word, corner] of [["no", order[0]], ["yes", order[3]]]) {
    const [right, bottom] = [corner[0] === x.domain[1], corner[1] === y.domain[0]];
    body.append(svg("text", { class: "side-word", x: right ? W - R - 6 : L + 6, y: bottom ? H - B - 7 : T + 15, "text-anchor": right ? "end" : "start" }, word));
  }
  if (shown) body.append(svg("circle", { class: "here", cx: x(current[0]), cy: y(current[1]), r: 8 }));
  return plot;
}

// The distance between neighbouring values where all are whole numbers and most of them come several times, else 0.
function wholeSteps(here, feature) {
  const values = new Set(here.map(i => valueOf(samples[i], feature)));
  return here.length > 2 * values.size && [...values].every(Number.isInteger) ? 1 : 0;
}

// Points of whole numbers lie on each other: each is moved a little, by its number, but never across the line.
function jittered(place, i, spread, side) {
  const part = k => (((i + 1) * k) % 1) - 0.5;
  for (const reach of [0.5, 0.25, 0]) {
    const moved = [place[0] + reach * spread[0] * part(0.6180339887), place[1] + reach * spread[1] * part(0.7548776662)];
    if (reach === 0 || side(moved) === side(place)) return moved;
  }
}

function point(i, x, y, radius) {
  const code = data.samples.codes[i];
  const mark = svg("path", {
    class: "point", d: shape(code, radius), style: `--class:${color(code)}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    onclick: () => pickRow(i),
  });
  mark.append(svg("title", {}, `Row ${data.samples.rows[i]}: ${data.classes[code]}`));
  return mark;
}

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
      body.append(svg("rect", { class: "bar-part", x: x(from), y: y(base + count), width: x(from + width) - x(from), height: y(base) - y(base + count), fill: color(code) }));
      base += count;
    });
  });
  body.append(svg("line", { class: "plane", x1: x(axis.at), x2: x(axis.at), y1: T, y2: H - B }));
  for (const [word, after] of [["yes", !axis.flipped], ["no", axis.flipped]]) {
    body.append(svg("text", { class: "side-word", x: x(axis.at) + (after ? 6 : -6), y: T + 15, "text-anchor": after ? "start" : "end" }, word));
  }
  if (!Number.isNaN(current)) {
    body.append(svg("line", { class: "here", x1: x(current), x2: x(current), y1: T, y2: H - B }), svg("circle", { class: "here base", cx: x(current), cy: H - B, r: 5 }));
  }
  return plot;
}

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
