// A category: a bar for each level, those of the "no" side first.
function levelBars(id, here) {
  const node = nodes[id];
  const [feature] = node.features;
  const order = [...node.levels.right, ...node.levels.left];
  const counts = order.map(() => data.classes.map(() => 0));
  here.forEach(i => { counts[order.indexOf(valueOf(samples[i], feature))][data.samples.codes[i]]++; });
  const x = scale([0, order.length], L, W - R);
  const y = scale([0, 1.18 * Math.max(1, ...counts.map(c => c.reduce((a, b) => a + b)))], H - B, T);
  const [plot, body] = frame(`Bars of the split ${ruleText(id)}`, x, y, [data.features[feature], "rows"], order.map(code => data.categories[feature][code]));
  const [left, right] = sideColors(node);
  const plane = x(node.levels.right.length);
  body.append(svg("rect", { class: "left", fill: left, x: plane, y: T, width: W - R - plane, height: H - T - B }),
    svg("rect", { class: "right", fill: right, x: L, y: T, width: plane - L, height: H - T - B }));
  counts.forEach((classes, at) => {
    let base = 0;
    classes.forEach((count, code) => {
      if (count) body.append(svg("rect", { class: "bar-part", x: x(at + 0.1), y: y(base + count), width: x(0.9) - x(0.1), height: y(base) - y(base + count), style: `--class:${color(code)}` }));
      base += count;
    });
  });
  body.append(svg("line", { class: "plane", x1: plane, x2: plane, y1: T, y2: H - B }));
  for (const [word, after] of [["yes", true], ["no", false]]) body.append(sideWord(word, after, plane));
  const current = state.sample && state.lit && state.lit.has(id) ? order.indexOf(valueOf(state.sample, feature)) : -1;
  if (current >= 0) body.append(svg("circle", { class: "here base", cx: x(current + 0.5), cy: H - B, r: 5 }));
  return plot;
}
