// The tree as SVG: a tidy drawing that can be moved and zoomed, or an outline that scrolls with the page.
const state = { selected: 0, collapsed: new Set(), outline: false, lit: null, view: { x: 0, y: 0, k: 1 }, moved: false };
const PAD = 12, LINE = 18, BAR = 8, GAP = 20, LEVEL = 54, INDENT = 18, MOST_LEAVES = 10, MOST_PARTS = 6;
const canvas = byId("tree");
const scene = svg("g", {});
canvas.append(scene);
const pen = document.createElement("canvas").getContext("2d");

function textWidth(text, bold) {
  pen.font = `${bold ? "650 " : ""}13px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

function cut(text, width, bold) {
  if (textWidth(text, bold) <= width) return text;
  let end = text.length;
  while (end > 1 && textWidth(`${text.slice(0, end)}…`, bold) > width) end--;
  return `${text.slice(0, end)}…`;
}

function wrap(parts, width) {
  const lines = [""];
  for (const part of parts) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${part}` : part;
    if (lines[lines.length - 1] && textWidth(longer) > width) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines.map(line => cut(line, width));
}

// Start with the levels that show at most MOST_LEAVES boxes side by side.
function collapseDeep() {
  state.collapsed.clear();
  if (leafCounts[0] <= MOST_LEAVES) return;
  let level = Math.max(...depths);
  const shown = depth => nodes.filter((_, id) => depths[id] === depth || (isLeaf(id) && depths[id] < depth)).length;
  while (level > 2 && shown(level) > MOST_LEAVES) level--;
  nodes.forEach((_, id) => { if (!isLeaf(id) && depths[id] >= level) state.collapsed.add(id); });
}

const open = id => !isLeaf(id) && !state.collapsed.has(id);

function visible(id = 0, found = []) {
  found.push(id);
  if (open(id)) {
    visible(nodes[id].left, found);
    visible(nodes[id].right, found);
  }
  return found;
}

// Of a long rule the first terms; the others are counted.
function cardParts(id) {
  const parts = ruleParts(id);
  const more = parts.length - MOST_PARTS + 1;
  return more > 1 ? [...parts.slice(0, MOST_PARTS - 2), `+ ${more} more terms`, parts[parts.length - 1]] : parts;
}

function card(id, room) {
  const node = nodes[id];
  const label = data.classes[node.majority];
  const title = isLeaf(id) ? [cut(label, room, true)] : wrap(cardParts(id), state.outline ? room - 26 : room);
  const step = state.lit && state.lit.get(id);
  const share = percent(node.share[node.majority]);
  let caption = `${plural(node.n, "row")} · ${share}${isLeaf(id) ? "" : ` ${label}`}`;
  if (step && step.brief) caption = `${step.brief}: ${{ left: "yes", right: "no", both: "both" }[step.side]}`;
  if (step && step.lacking && step.lacking.length) caption = `missing: ${{ left: "yes", right: "no", both: "both ways" }[step.side]}`;
  caption = cut(caption, room);
  const width = Math.max(110, ...title.map(line => textWidth(line, isLeaf(id))), textWidth(caption) * 0.94) + 2 * PAD;
  return { id, title, caption, width, height: (title.length + 1) * LINE + BAR + 2 * PAD + 4 };
}

// Reingold and Tilford: each subtree by itself, then moved right until it clears its left neighbour on every level.
function tidy(cards) {
  const offset = new Map([[0, 0]]);
  function contour(id) {
    const half = cards.get(id).width / 2;
    const own = [[-half, half]];
    if (!open(id)) return own;
    const [left, right] = [contour(nodes[id].left), contour(nodes[id].right)];
    const shared = Math.min(left.length, right.length);
    let apart = 0;
    for (let i = 0; i < shared; i++) apart = Math.max(apart, left[i][1] - right[i][0] + GAP);
    const shift = apart / 2;
    offset.set(nodes[id].left, -shift);
    offset.set(nodes[id].right, shift);
    for (let i = 0; i < Math.max(left.length, right.length); i++) {
      own.push([
        i < left.length ? left[i][0] - shift : right[i][0] + shift,
        i < right.length ? right[i][1] + shift : left[i][1] - shift,
      ]);
    }
    return own;
  }
  const reach = contour(0);
  const low = Math.min(...reach.map(r => r[0]));
  const tallest = [];
  for (const { id, height } of cards.values()) tallest[depths[id]] = Math.max(tallest[depths[id]] || 0, height);
  const tops = tallest.map((_, depth) => tallest.slice(0, depth).reduce((sum, h) => sum + h + LEVEL, 0));
  for (const [id, place] of cards) {
    place.x = offset.get(id) + (id ? cards.get(parents[id]).x : -low);
    place.y = tops[depths[id]];
  }
}

function outline(cards) {
  let y = 0;
  for (const [id, place] of cards) {
    place.x = depths[id] * INDENT + place.width / 2;
    place.y = y;
    y += place.height + 20;
  }
}

function draw() {
  const ids = visible();
  const width = byId("viewport").clientWidth || 800;
  const cards = new Map();
  for (const id of ids) {
    // In the outline, cards fill the width; past eight levels they keep a readable one and the tree is moved instead.
    const room = state.outline ? Math.max(150, width - Math.min(depths[id], 8) * INDENT - 2 * PAD - 6) : 250;
    const place = card(id, room);
    if (state.outline) place.width = room + 2 * PAD;
    cards.set(id, place);
  }
  if (state.outline) outline(cards);
  else tidy(cards);
  scene.replaceChildren();
  for (const id of ids) if (open(id)) [nodes[id].left, nodes[id].right].forEach(child => edge(cards, id, child));
  for (const place of cards.values()) scene.append(box(place));
  canvas.classList.toggle("tracing", state.lit !== null);
  byId("viewport").classList.toggle("outline", state.outline);
  if (state.outline) {
    const places = [...cards.values()];
    const right = Math.max(...places.map(place => place.x + place.width / 2));
    const bottom = Math.max(...places.map(place => place.y + place.height));
    canvas.setAttribute("viewBox", `-3 -3 ${Math.max(width, right + 6)} ${bottom + 16}`);
    scene.removeAttribute("transform");
  } else {
    canvas.removeAttribute("viewBox");
    if (state.moved) place();
    else fit();
  }
}

function edge(cards, parent, child) {
  const [from, to] = [cards.get(parent), cards.get(child)];
  const left = nodes[parent].left === child;
  const lit = state.lit && state.lit.has(child) ? " lit" : "";
  const share = nodes[child].weight / nodes[0].weight;
  const [x0, y0, x1, y1] = [from.x, from.y + from.height, to.x, to.y];
  const bend = (y0 + y1) / 2;
  const start = x0 - from.width / 2 + 9;
  const path = state.outline
    ? `M${start} ${y0}V${y1 + 22}H${x1 - to.width / 2}`
    : `M${x0} ${y0}C${x0} ${bend} ${x1} ${bend} ${x1} ${y1}`;
  const width = state.outline ? (lit ? 3 : 1.5) : (lit ? 2.5 : 1.2) + 11 * share;
  scene.append(svg("path", { class: `edge${lit}`, d: path, "stroke-width": width }));
  const [x, y, anchor] = state.outline
    ? [x1 - to.width / 2 + 6, y1 - 5, "start"]
    : [x1 + (left ? -1 : 1) * (8 + 5 * share), y1 - 7, left ? "end" : "start"];
  scene.append(svg("text", { class: `word${lit}`, x, y, "text-anchor": anchor, "aria-hidden": "true" }, left ? "yes" : "no"));
}

function box(place) {
  const { id, title, caption, width, height } = place;
  const node = nodes[id];
  const [left, middle] = [place.x - width / 2, state.outline ? place.x - width / 2 + PAD : place.x];
  const anchor = state.outline ? "start" : "middle";
  const classes = ["node", isLeaf(id) && "leaf", id === state.selected && "selected", state.lit && state.lit.has(id) && "lit"];
  const group = svg("g", {
    class: classes.filter(Boolean).join(" "), role: "treeitem", id: `node-${id}`, "data-node": id,
    tabindex: id === state.selected ? 0 : -1, "aria-level": depths[id] + 1, "aria-selected": id === state.selected,
    "aria-expanded": isLeaf(id) ? null : String(open(id)), "aria-label": spoken(id), style: `--class:${color(node.majority)}`,
    onclick: () => { select(id); showDetails(); }, onkeydown: event => key(event, id),
  });
  group.append(
    svg("rect", { class: "ring", x: left - 4, y: place.y - 4, width: width + 8, height: height + 8, rx: 12 }),
    svg("rect", { class: "box", x: left, y: place.y, width, height, rx: 9 }),
  );
  title.forEach((line, i) => group.append(
    svg("text", { class: "rule", x: middle, y: place.y + PAD + 12 + i * LINE, "text-anchor": anchor }, line)));
  group.append(svg("text", { class: "caption", x: middle, y: place.y + PAD + 12 + title.length * LINE, "text-anchor": anchor }, caption));
  let x = left + PAD;
  node.share.forEach((share, code) => {
    if (share > 0) group.append(svg("rect", { x, y: place.y + height - PAD - BAR + 2, width: share * (width - 2 * PAD), height: BAR, fill: color(code) }));
    x += share * (width - 2 * PAD);
  });
  if (!isLeaf(id)) group.append(toggle(place));
  return group;
}

function toggle(place) {
  const { id } = place;
  const [x, y] = state.outline ? [place.x + place.width / 2 - 16, place.y + 18] : [place.x, place.y + place.height];
  const group = svg("g", {
    class: "toggle", "aria-hidden": "true",
    onclick: event => { event.stopPropagation(); flip(id); },
  }, svg("circle", { cx: x, cy: y, r: 9 }), svg("text", { x, y: y + 4.5 }, open(id) ? "−" : "+"));
  if (!open(id)) {
    const hidden = `${plural(leafCounts[id], "leaf").replace("leafs", "leaves")} below`;
    const at = state.outline ? { x: x - 14, y: y + 4, "text-anchor": "end" } : { x, y: y + 24, "text-anchor": "middle" };
    group.append(svg("text", { class: "more", ...at, style: "font-size:11.5px" }, hidden));
  }
  return group;
}

function spoken(id) {
  const node = nodes[id];
  const share = `${plural(node.n, "row")}, ${percent(node.share[node.majority])} ${data.classes[node.majority]}`;
  if (isLeaf(id)) return `Leaf ${id}: ${data.classes[node.majority]}, ${share}`;
  return `Split ${id}: ${ruleText(id)}; ${share}; ${node.proven ? "proven optimal" : "not proven"}`;
}

function flip(id) {
  if (state.collapsed.has(id)) state.collapsed.delete(id);
  else state.collapsed.add(id);
  if (!visible().includes(state.selected)) select(id);
  else draw();
  const element = byId(`node-${state.selected}`);
  if (element && document.activeElement === document.body) element.focus();
}

function reveal(id) {
  for (let node = parents[id]; node >= 0; node = parents[node]) state.collapsed.delete(node);
}

function focusNode(id) {
  select(id);
  byId(`node-${id}`).focus();
}

// The keys of the tree pattern: arrows move and open, Home and End jump, Enter and Space open or close.
function key(event, id) {
  const order = visible();
  const at = order.indexOf(id);
  const target = {
    ArrowDown: order[at + 1], ArrowUp: order[at - 1], Home: order[0], End: order[order.length - 1],
    ArrowRight: open(id) ? nodes[id].left : undefined, ArrowLeft: open(id) ? undefined : parents[id],
  }[event.key];
  const flips = !isLeaf(id) && (event.key === "Enter" || event.key === " " ||
    (event.key === "ArrowRight" && !open(id)) || (event.key === "ArrowLeft" && open(id)));
  if (target === undefined && !flips) return;
  event.preventDefault();
  if (flips) {
    flip(id);
    byId(`node-${id}`).focus();
  } else if (target >= 0) {
    focusNode(target);
  }
}

function place() {
  const { x, y, k } = state.view;
  scene.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
}

// Show everything, or the path that is lit, or, if that would be too small to read, the root.
function fit(whole = false) {
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  const shown = [...scene.querySelectorAll(state.lit && !whole ? ".node.lit .box" : ".node .box")].map(box => box.getBBox());
  const left = Math.min(...shown.map(b => b.x));
  const width = Math.max(...shown.map(b => b.x + b.width)) - left;
  const height = Math.max(...shown.map(b => b.y + b.height));
  const fitting = Math.min((w - 32) / width, (h - 44) / height, 1.15);
  const k = whole || state.lit ? fitting : Math.max(fitting, 0.4);
  const root = shown[0].x + shown[0].width / 2;
  const x = k === fitting ? (w - k * width) / 2 - k * left : w / 2 - k * root;
  state.view = { k, x, y: Math.max(16, Math.min(40, (h - k * height) / 2)) };
  state.moved = false;
  place();
}

function zoom(factor, cx = canvas.clientWidth / 2, cy = canvas.clientHeight / 2) {
  const { x, y, k } = state.view;
  const next = Math.min(4, Math.max(0.08, k * factor));
  state.view = { k: next, x: cx - ((cx - x) * next) / k, y: cy - ((cy - y) * next) / k };
  state.moved = true;
  place();
}

// Dragging moves the drawing and two fingers zoom it; a press that hardly moves stays a click.
const pointers = new Map();
canvas.addEventListener("pointerdown", event => {
  if (!state.outline) pointers.set(event.pointerId, [event.clientX, event.clientY]);
});
window.addEventListener("pointermove", event => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const now = [event.clientX, event.clientY];
  if (pointers.size === 1) {
    if (!canvas.classList.contains("dragging") && Math.hypot(now[0] - before[0], now[1] - before[1]) < 4) return;
    canvas.classList.add("dragging");
    state.view.x += now[0] - before[0];
    state.view.y += now[1] - before[1];
    state.moved = true;
    place();
  } else {
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const spread = at => Math.hypot(at[0] - other[0], at[1] - other[1]);
    const frame = canvas.getBoundingClientRect();
    zoom(spread(now) / (spread(before) || 1), (now[0] + other[0]) / 2 - frame.left, (now[1] + other[1]) / 2 - frame.top);
  }
  pointers.set(event.pointerId, now);
});
for (const name of ["pointerup", "pointercancel"]) {
  window.addEventListener(name, event => {
    pointers.delete(event.pointerId);
    setTimeout(() => canvas.classList.remove("dragging"));
  });
}
canvas.addEventListener("click", event => { if (canvas.classList.contains("dragging")) event.stopPropagation(); }, true);
canvas.addEventListener("wheel", event => {
  if (state.outline || !(event.ctrlKey || event.metaKey)) return;  // a plain wheel scrolls the page
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
}, { passive: false });
