// What part of the tree is seen: keys, moving and zooming.

function focusNode(id) {
  select(id);
  byId(`node-${id}`).focus({ preventScroll: true });
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
    byId(`node-${id}`).focus({ preventScroll: true });
  } else if (target >= 0) {
    focusNode(target);
  }
}

// Boxes that are too small to be read shed their captions, then all text.
const BRIEF = 8 / TEXT, TINY = 5 / TEXT;

function placeScene() {
  const { x, y, k } = state.view;
  scene.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
  canvas.classList.toggle("brief", k < BRIEF && k >= TINY);
  canvas.classList.toggle("tiny", k < TINY);
  drawMap();
}

// Show everything, or the path that is lit; if that would be too small to read, from the root on, unless `whole`.
function fit(whole = false) {
  if (state.outline) return draw();
  const { form, scale } = chooseForm(whole);
  state.form = form;
  const k = whole ? scale : Math.max(scale, LEGIBLE);
  const all = arranged(form);
  const seen = bounds(inSight(all, whole));
  const [root, right] = [all.get(0), form.way === "right"];
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  const [spareX, spareY] = [w - k * seen.width, h - k * seen.height];
  state.view = {
    k,
    x: spareX >= 32 ? spareX / 2 - k * seen.left : right || indented(form) ? 16 - k * seen.left : w / 2 - k * root.x,
    y: spareY >= 32 ? (right ? spareY / 2 : Math.min(40, spareY / 2)) - k * seen.top : right ? h / 2 - k * (root.y + root.height / 2) : 16 - k * seen.top,
  };
  Object.assign(state, { moved: false, whole });
  draw();
}

// Keep a box at its place on the screen after a new layout.
function hold(id, before) {
  const now = cards.get(id);
  state.view.x += state.view.k * (before.x - now.x);
  state.view.y += state.view.k * (before.y - now.y);
  if (!state.outline) placeScene();
}

// Move the drawing no farther than needed to have boxes in it, the first of them above all.
function bringIn(ids) {
  if (state.outline) {
    for (const id of [...ids].reverse()) byId(`node-${id}`).scrollIntoView({ block: "nearest", inline: "nearest" });
    return;
  }
  const margin = 14;
  for (const some of [ids, ids.slice(0, 1)]) {
    const { left, top, width, height } = bounds(some.map(id => cards.get(id)));
    const { x, y, k } = state.view;
    state.view.x += into(x + k * left, k * width, canvas.clientWidth, margin);
    state.view.y += into(y + k * top, k * height, canvas.clientHeight, margin);
  }
  placeScene();
}
function into(start, size, room, margin) {
  if (start < margin) return margin - start;
  return start + size > room - margin ? Math.max(margin - start, room - margin - start - size) : 0;
}

function zoom(factor, cx = canvas.clientWidth / 2, cy = canvas.clientHeight / 2) {
  const { x, y, k } = state.view;
  const next = Math.min(4, Math.max(0.04, k * factor));
  state.view = { k: next, x: cx - ((cx - x) * next) / k, y: cy - ((cy - y) * next) / k };
  state.moved = true;
  placeScene();
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
    placeScene();
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
  const frame = canvas.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
}, { passive: false });
