// The tree as SVG.
const scene = svg("g", { role: "none" });  // a role of its own would part the items from their tree
canvas.append(scene);
let cards = new Map();

function draw() {
  const width = byId("viewport").clientWidth || 800;
  cards = state.outline ? outlined(width) : arranged(state.form);
  scene.replaceChildren(...drawn(cards, state.outline ? { way: "indent" } : state.form));
  canvas.classList.toggle("tracing", state.lit !== null);
  byId("depth").value = openDepth();
  if (state.outline) {
    const { left, width: across, height } = bounds([...cards.values()]);
    canvas.setAttribute("viewBox", `-3 -3 ${Math.max(width, left + across + 6)} ${height + 16}`);
    scene.removeAttribute("transform");
    canvas.classList.remove("brief", "tiny");
    drawMap();
  } else {
    canvas.removeAttribute("viewBox");
    placeScene();
  }
}

// Edges first, so that boxes lie on them.
function drawn(cards, form) {
  const parts = [];
  for (const id of cards.keys()) if (open(id)) [nodes[id].left, nodes[id].right].forEach(child => parts.push(...edge(cards, id, child, form)));
  for (const place of cards.values()) parts.push(box(place, form));
  return parts;
}

function edge(cards, parent, child, form) {
  const [from, to] = [cards.get(parent), cards.get(child)];
  const left = nodes[parent].left === child;
  const lit = state.lit && state.lit.has(child) ? " lit" : "";
  const share = nodes[child].weight / nodes[0].weight;
  const width = indented(form) ? (lit ? 3 : 1.5) : (lit ? 2.5 : 1.2) + 11 * share;
  const { path, word } = { indent: outlineEdge, right: edgeToRight, down: edgeDown }[form.way](from, to, left, width);
  return [svg("path", { class: `edge${lit}`, d: path, "stroke-width": width }),
    svg("text", { class: `word${lit}`, ...word, "aria-hidden": "true" }, left ? "yes" : "no")];
}

function outlineEdge(from, to) {
  const [left, end] = [from, to].map(place => place.x - place.width / 2);
  const start = (left + end) / 2;
  return { path: `M${start} ${from.y + from.height}V${to.y + 22}H${end}`, word: { x: end + 6, y: to.y - 5, "text-anchor": "start" } };
}

function edgeDown(from, to, left, width) {
  const [x0, y0, x1, y1] = [from.x, from.y + from.height, to.x, to.y];
  const bend = (y0 + y1) / 2;
  const x = x1 + (left ? -1 : 1) * (7 + width / 2);
  return { path: `M${x0} ${y0}C${x0} ${bend} ${x1} ${bend} ${x1} ${y1}`, word: { x, y: y1 - 7, "text-anchor": left ? "end" : "start" } };
}

// The word is on the outer side of the curve.
function edgeToRight(from, to, left, width) {
  const [x0, y0, x1, y1] = [from.x + from.width / 2, from.y + from.height / 2, to.x - to.width / 2, to.y + to.height / 2];
  const bend = (x0 + x1) / 2;
  const y = left ? y1 - 5 - width / 2 : y1 + 13 + width / 2;
  return { path: `M${x0} ${y0}C${bend} ${y0} ${bend} ${y1} ${x1} ${y1}`, word: { x: x1 - 6, y, "text-anchor": "end" } };
}

function box(place, form) {
  const { id, title, width, height } = place;
  const node = nodes[id];
  const [left, middle] = [place.x - width / 2, indented(form) ? place.x - width / 2 + PAD : place.x];
  const anchor = indented(form) ? "start" : "middle";
  const classes = ["node", isLeaf(id) && "leaf", id === state.selected && "selected", state.lit && state.lit.has(id) && "lit", state.found.has(id) && "found"];
  const group = svg("g", {
    class: classes.filter(Boolean).join(" "), role: "treeitem", id: `node-${id}`, "data-node": id,
    tabindex: id === state.selected ? 0 : -1, "aria-level": depths[id] + 1, "aria-selected": String(id === state.selected),
    "aria-expanded": isLeaf(id) ? null : String(open(id)), "aria-label": spoken(id), style: `--class:${color(node.majority)}`,
    onclick: () => { select(id); byId(`node-${id}`).focus({ preventScroll: true }); showDetails(); },
    onkeydown: event => key(event, id),
  }, svg("title", {}, tipOf(id)));
  group.append(
    svg("rect", { class: "ring", x: left - 4, y: place.y - 4, width: width + 8, height: height + 8, rx: 12 }),
    svg("rect", { class: "box", x: left, y: place.y, width, height, rx: 9 }),
  );
  [...title, ...place.captions].forEach((line, i) => group.append(
    svg("text", { class: i < title.length ? "rule" : line.endsWith(" below") ? "caption more" : "caption", x: middle, y: place.y + PAD + 12 + i * LINE, "text-anchor": anchor }, line)));
  group.append(classBar(node, left + PAD, place.y + height - PAD - BAR + 2, width - 2 * PAD));
  if (!isLeaf(id)) group.append(toggle(place, form));
  return group;
}

function classBar(node, x, y, width) {
  const bar = svg("g", { class: "class-bar" });
  let from = x;
  node.share.forEach((share, code) => {
    if (share > 0) bar.append(svg("rect", { x: from, y, width: share * width, height: BAR, fill: color(code) }));
    from += share * width;
  });
  bar.append(svg("rect", { class: "rim", x, y, width, height: BAR }));
  return bar;
}

function toggle(place, form) {
  const { id } = place;
  const [x, y] = { indent: [place.x + place.width / 2 - 16, place.y + 18], right: [place.x + place.width / 2, place.y + place.height / 2], down: [place.x, place.y + place.height] }[form.way];
  return svg("g", {
    class: "toggle", "aria-hidden": "true",
    onclick: event => { event.stopPropagation(); flip(id); },
  }, svg("circle", { class: "reach", cx: x, cy: y, r: 16 }), svg("circle", { cx: x, cy: y, r: 9 }), svg("text", { x, y: y + 4.5 }, open(id) ? "−" : "+"));
}
