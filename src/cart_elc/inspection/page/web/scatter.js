// Two features: the rows in their plane, with the split's line and the band without rows.

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
  mark.append(svg("title", {}, `Row ${data.samples.rows[i]}: ${data.numbers && data.samples.labelled ? short(data.samples.numbers[i]) : data.classes[code]}`));
  return mark;
}
