// Where the boxes go. The tree grows down or to the right, with wide or narrow boxes, whichever can be read best; or it
// is an outline that scrolls with the page.
const state = {
  selected: 0, collapsed: new Set(), before: null, outline: false, lit: null, sample: null, form: null,
  view: { x: 0, y: 0, k: 1 }, moved: false, whole: false, folded: false, chosenMode: null,
};
const PAD = 12, LINE = 18, BAR = 8, INDENT = 18, MOST_PARTS = 6;
const GAP = { down: 20, right: 12 }, LEVEL = { down: 44, right: 54 };
const LEGIBLE = 0.7, LEGIBLE_PATH = 0.6;  // text of 13 pixels is then 9 or 8 high: nothing is smaller unless asked for
const FEW_LEAVES = 10, MANY_BOXES = 80;
const FORMS = [{ right: false, room: 250 }, { right: false, room: 160 }, { right: true, room: 250 }, { right: true, room: 160 }];
state.form = FORMS[0];
const canvas = byId("tree");
const pen = document.createElement("canvas").getContext("2d");
const FONT = getComputedStyle(document.body).fontFamily;

function textWidth(text, bold) {
  pen.font = `${bold ? "650 " : ""}13px ${FONT}`;
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
  return lines.map(line => cut(line, Math.max(width, 250)));
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

function captions(id) {
  const node = nodes[id];
  const step = state.lit && state.lit.get(id);
  const found = [`${plural(node.n, "row")} · ${percent(node.share[node.majority])}${isLeaf(id) ? "" : ` ${data.classes[node.majority]}`}`];
  if (step && step.brief) found[0] = `${step.brief}: ${{ left: "yes", right: "no", both: "both" }[step.side]}`;
  if (step && step.lacking && step.lacking.length) found[0] = `missing: ${{ left: "yes", right: "no", both: "both ways" }[step.side]}`;
  if (!isLeaf(id) && !open(id)) found.push(`${leaves(leafCounts[id])} below`);
  return found;
}

function card(id, room, right = false) {
  const title = isLeaf(id) ? [cut(data.classes[nodes[id].majority], Math.max(room, 200), true)] : wrap(cardParts(id), state.outline ? room - 26 : room);
  const lines = captions(id).map(text => cut(text, Math.max(room, 200)));
  const width = Math.max(110, ...title.map(line => textWidth(line, isLeaf(id))), ...lines.map(text => textWidth(text, state.lit !== null) * 0.94)) + 2 * PAD;
  // At the right side of a box that grows to the right there is the circle that folds it.
  return { id, title, captions: lines, width: width + (right && !isLeaf(id) ? 12 : 0), height: (title.length + lines.length) * LINE + BAR + 2 * PAD + 4 };
}

// Cards with their places: x is the middle, y the top.
function arranged(form) {
  const cards = new Map(visible().map(id => [id, card(id, form.room, form.right)]));
  tidy(cards, form.right);
  return cards;
}

// Reingold and Tilford: each subtree by itself, then moved aside until it clears its neighbour on every level.
function tidy(cards, right) {
  const breadth = place => (right ? place.height : place.width);
  const length = place => (right ? place.width : place.height);
  const way = right ? "right" : "down";
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
  const starts = longest.map((_, depth) => longest.slice(0, depth).reduce((sum, size) => sum + size + LEVEL[way], 0));
  for (const [id, place] of cards) {
    const parent = id ? cards.get(parents[id]).middle : -low;
    place.middle = offset.get(id) + parent;
    place.x = right ? starts[depths[id]] + place.width / 2 : place.middle;
    place.y = right ? place.middle - place.height / 2 : starts[depths[id]];
  }
}

// In the outline, cards fill the width; past eight levels they keep a readable one and the tree is moved instead.
function outlined(width) {
  let y = 0;
  return new Map(visible().map(id => {
    const room = Math.max(150, width - Math.min(depths[id], 8) * INDENT - 2 * PAD - 6);
    const place = { ...card(id, room), width: room + 2 * PAD };
    Object.assign(place, { x: depths[id] * INDENT + place.width / 2, y });
    y += place.height + 20;
    return [id, place];
  }));
}

function bounds(places) {
  const edges = places.map(({ x, y, width, height }) => [x - width / 2, x + width / 2, y, y + height]);
  const left = Math.min(...edges.map(e => e[0])), top = Math.min(...edges.map(e => e[2]));
  return { left, top, width: Math.max(...edges.map(e => e[1])) - left, height: Math.max(...edges.map(e => e[3])) - top };
}

// What is to be seen: everything, or, where that is too small to be read, the path that is lit.
function inSight(cards, whole) {
  const all = [...cards.values()];
  const lit = all.filter(place => state.lit && state.lit.has(place.id));
  return lit.length && !whole && scaleOf(all) < LEGIBLE ? lit : all;
}

function scaleOf(places) {
  const { width, height } = bounds(places);
  return Math.min((canvas.clientWidth - 32) / width, (canvas.clientHeight - 44) / height, 1.15);
}

const leastScale = () => (state.lit ? LEGIBLE_PATH : LEGIBLE);

// Keep the form while it can be read; otherwise, or where the whole tree is asked for, take what gives the largest text:
// of everything if that can be read, else of the path.
function chooseForm(whole) {
  const everything = bestForm(cards => [...cards.values()], whole ? 1 : LEGIBLE);
  return whole || !state.lit || everything.scale >= LEGIBLE ? everything : bestForm(cards => inSight(cards, false), LEGIBLE_PATH);
}
function bestForm(seen, enough) {
  let best = { form: state.form, scale: 0 };
  for (const form of [state.form, ...FORMS]) {
    const scale = scaleOf(seen(arranged(form)));
    if (scale > 1.08 * best.scale) best = { form, scale };
    if (best.scale >= enough) break;
  }
  return best;
}

// Start with as many levels as can be read, in the outline with a few boxes.
function collapseDeep() {
  for (let level = Math.max(...depths); ; level--) {
    state.collapsed = new Set(nodes.map((_, id) => id).filter(id => !isLeaf(id) && depths[id] >= level));
    if (level <= 1 || legible()) return;
  }
}
function legible() {
  const shown = visible();
  if (state.outline) return shown.filter(id => !open(id)).length <= FEW_LEAVES;
  return shown.length <= MANY_BOXES && bestForm(cards => [...cards.values()], LEGIBLE).scale >= LEGIBLE;
}
