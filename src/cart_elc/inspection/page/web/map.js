// A small map of the tree in a corner, while a part of it is out of sight; pressing it moves the view.
const MAP = { width: 112, height: 76 };

function drawMap() {
  const map = byId("map");
  const all = cards.size ? bounds([...cards.values()]) : null;
  const { x, y, k } = state.view;
  const view = { left: -x / k, top: -y / k, width: canvas.clientWidth / k, height: canvas.clientHeight / k };
  const inside = all && view.left <= all.left && view.top <= all.top && view.left + view.width >= all.left + all.width && view.top + view.height >= all.top + all.height;
  map.toggleAttribute("hidden", state.outline || !all || inside);
  if (map.hasAttribute("hidden")) return;
  const unit = Math.min(MAP.width / all.width, MAP.height / all.height);
  const rect = ({ left, top, width, height }, attributes) => svg("rect", { x: (left - all.left) * unit, y: (top - all.top) * unit, width: Math.max(width * unit, 1), height: Math.max(height * unit, 1), ...attributes });
  map.replaceChildren(svg("title", {}, "The whole tree; press to move there"), ...[...cards.values()].map(place => rect({ left: place.x - place.width / 2, top: place.y, width: place.width, height: place.height },
    { class: state.lit && state.lit.has(place.id) ? "lit" : "", fill: color(nodes[place.id].majority) })), rect(view, { class: "frame" }));
  [map.style.left, map.style.top] = mapCorner().map(place => `${place}px`);
  map.dataset.unit = unit;
  [map.dataset.left, map.dataset.top] = [all.left, all.top];
}

// The map stands in the corner where it covers least, and never the end of the path or the selected box.
function mapCorner() {
  const { x, y, k } = state.view;
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  const important = id => id === state.selected || (state.lit && state.lit.has(id) && isLeaf(id));
  const covered = ([left, top]) => [...cards.values()].reduce((sum, place) => {
    const [from, to] = [x + k * (place.x - place.width / 2), x + k * (place.x + place.width / 2)];
    const [above, below] = [y + k * place.y, y + k * (place.y + place.height)];
    const apart = to < left - 8 || from > left + MAP.width + 8 || below < top - 8 || above > top + MAP.height + 8;
    return sum + (apart ? 0 : important(place.id) ? 1000 : 1);
  }, 0);
  const [right, bottom] = [w - MAP.width - 8, h - MAP.height - 8];
  const corners = [[right, bottom], [8, bottom], [right, 8], [8, 8]];
  return corners.reduce((best, corner) => (covered(corner) < covered(best) ? corner : best));
}

function moveByMap(event) {
  const frame = byId("map").getBoundingClientRect();
  const { unit, left, top } = byId("map").dataset;
  const [x, y] = [(event.clientX - frame.left) / unit + Number(left), (event.clientY - frame.top) / unit + Number(top)];
  Object.assign(state.view, { x: canvas.clientWidth / 2 - x * state.view.k, y: canvas.clientHeight / 2 - y * state.view.k });
  state.moved = true;
  placeScene();
}

function startMap() {
  byId("map").addEventListener("pointerdown", event => { event.stopPropagation(); moveByMap(event); });
  byId("map").addEventListener("pointermove", event => { if (event.buttons) moveByMap(event); });
}
