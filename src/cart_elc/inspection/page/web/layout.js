// Where the boxes go. The tree grows down or to the right, or its boxes stand below each other, with wide or narrow boxes,
// whichever can be read best; or it is an outline that scrolls with the page.
const state = {
  selected: 0, collapsed: new Set(), before: null, outline: false, lit: null, sample: null, form: null,
  view: { x: 0, y: 0, k: 1 }, moved: false, whole: false, folded: false, chosenMode: null, found: new Set(),
};
const INDENT = 22, LEAST_INDENT = 3, LEAST_ROOM = 150;
const GAP = { down: 18, right: 12 }, LEVEL = { down: 42, right: 46 };
const LEGIBLE = 11.05 / TEXT;  // nothing is written smaller unless asked for
const FORMS = ["down", "right", "indent"].flatMap(way => [250, 170, 130].map(room => ({ way, room })));
state.form = FORMS[0];
const canvas = byId("tree");
const indented = form => form.way === "indent";

// Cards with their places: x is the middle, y the top.
function arranged(form) {
  const cards = new Map(visible().map(id => [id, card(id, form)]));
  if (indented(form)) stack(cards);
  else tidy(cards, form.way);
  return cards;
}

// Reingold and Tilford: each subtree by itself, then moved aside until it clears its neighbour on every level.
function tidy(cards, way) {
  const right = way === "right";
  const breadth = place => (right ? place.height : place.width);
  const length = place => (right ? place.width : place.height);
  const offset = new Map([[0, 0]]);
  function contour(id) {
    const half = breadth(cards.get(id)) / 2;
    const own = [[-half, half]];
    if (!open(id)) return own;
    const [first, second] = [contour(nodes[id].left), contour(nodes[id].right)];
    const shared = Math.min(first.length, second.length);
    let apart = 0;
    for (let i = 0; i < shared; i++) apart = Math.max(apart, first[i][1] - second[i][0] + GAP[way]);
    const shift = apart / 2;
    offset.set(nodes[id].left, -shift);
    offset.set(nodes[id].right, shift);
    for (let i = 0; i < Math.max(first.length, second.length); i++) {
      own.push([
        i < first.length ? first[i][0] - shift : second[i][0] + shift,
        i < second.length ? second[i][1] + shift : first[i][1] - shift,
      ]);
    }
    return own;
  }
  const low = Math.min(...contour(0).map(reach => reach[0]));
  const longest = [];
  for (const place of cards.values()) longest[depths[place.id]] = Math.max(longest[depths[place.id]] || 0, length(place));
  const starts = [0];
  longest.forEach((size, depth) => starts.push(starts[depth] + size + LEVEL[way]));
  for (const [id, place] of cards) {
    const parent = id ? cards.get(parents[id]).middle : -low;
    place.middle = offset.get(id) + parent;
    place.x = right ? starts[depths[id]] + place.width / 2 : place.middle;
    place.y = right ? place.middle - place.height / 2 : starts[depths[id]];
  }
}

// Boxes below each other, each level a little farther in.
function stack(cards, indent = INDENT) {
  let y = 0;
  for (const [id, place] of cards) {
    Object.assign(place, { x: depths[id] * indent + place.width / 2, y });
    y += place.height + 20;
  }
}

// In the outline, cards fill the width; the deeper it is, the less a level is set in, so that they keep a readable one.
function outlined(width) {
  const shown = visible();
  const most = width - 2 * PAD - 20;
  const deepest = shown.reduce((depth, id) => Math.max(depth, depths[id]), 1);
  const indent = Math.min(INDENT, Math.max(LEAST_INDENT, (most - LEAST_ROOM) / deepest));
  const cards = new Map(shown.map(id => {
    const room = Math.max(LEAST_ROOM, most - depths[id] * indent);
    return [id, { ...card(id, { way: "indent", room, outline: true }), width: room + 2 * PAD + 14 }];
  }));
  stack(cards, indent);
  return cards;
}

function bounds(places) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y, width, height } of places) {
    [left, right] = [Math.min(left, x - width / 2), Math.max(right, x + width / 2)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + height)];
  }
  return { left, top, width: right - left, height: bottom - top };
}

// What is to be seen: everything, or, where that is too small to be read, the path that is lit.
function inSight(cards, whole) {
  const all = [...cards.values()];
  const lit = all.filter(place => state.lit && state.lit.has(place.id));
  return lit.length && !whole && scaleOf(all) < LEGIBLE ? lit : all;
}

function scaleOf(places, [across, down] = [canvas.clientWidth, canvas.clientHeight]) {
  const { width, height } = bounds(places);
  return Math.min((across - 32) / width, (down - 40) / height, 1.15);
}

// Keep the form while it can be read; otherwise, or where the whole tree is asked for, take what gives the largest text:
// of everything if that can be read, else of the path.
function chooseForm(whole) {
  const everything = bestForm(cards => [...cards.values()], whole ? 1 : LEGIBLE);
  return whole || !state.lit || everything.scale >= LEGIBLE ? everything : bestForm(cards => inSight(cards, false), LEGIBLE);
}
function bestForm(seen, enough, room) {
  let best = { form: state.form, scale: 0 };
  for (const form of [state.form, ...FORMS]) {
    const scale = scaleOf(seen(arranged(form)), room);
    if (scale > 1.08 * best.scale) best = { form, scale };
    if (best.scale >= enough) break;
  }
  return best;
}
