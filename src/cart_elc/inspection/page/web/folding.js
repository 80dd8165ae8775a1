// Which boxes are open.
const FEW_LEAVES = 10, MANY_BOXES = 80, TRIES = 30;
const splits = nodes.map((_, id) => id).filter(id => !isLeaf(id));
const open = id => !isLeaf(id) && !state.collapsed.has(id);

function visible() {
  const found = [], pending = [0];
  while (pending.length) {
    const id = pending.pop();
    found.push(id);
    if (open(id)) pending.push(nodes[id].right, nodes[id].left);
  }
  return found;
}

const foldTo = level => { state.collapsed = new Set(splits.filter(id => depths[id] >= level)); };

// Start with as many levels as can be read, in the outline with a few boxes; then open the largest boxes that still fit.
function foldToFit() {
  let level = Math.min(DEEPEST, 12);
  for (foldTo(level); level > 1 && !legible(); foldTo(level)) level--;
  const refused = new Set();
  for (let i = 0; i < TRIES; i++) {
    const folded = visible().filter(id => !isLeaf(id) && !open(id) && !refused.has(id));
    if (!folded.length) return;
    const largest = folded.reduce((best, id) => (nodes[id].n > nodes[best].n ? id : best));
    state.collapsed.delete(largest);
    if (!legible()) {
      state.collapsed.add(largest);
      refused.add(largest);
    }
  }
}

function legible() {
  const shown = visible();
  if (state.outline) return shown.filter(id => !open(id)).length <= FEW_LEAVES;
  return shown.length <= MANY_BOXES && bestForm(cards => [...cards.values()], LEGIBLE).scale >= LEGIBLE;
}

// Open what hides a node; whether there was anything.
function reveal(id) {
  return conditions(id).filter(([node]) => state.collapsed.delete(node)).length > 0;
}

// Fold or open a box, which stays where it is on the screen.
function flip(id) {
  const held = cards.get(id);
  state.folded = true;
  const change = state.collapsed.has(id) ? "delete" : "add";
  for (const folded of [state.collapsed, state.before]) if (folded) folded[change](id);
  if (!visible().includes(state.selected)) {
    state.selected = id;
    showNode(id);
  }
  if (state.moved || state.outline) {
    draw();
    hold(id, held);
  } else {
    fit(state.whole);
  }
  bringIn(open(id) ? [id, nodes[id].left, nodes[id].right] : [id]);
}

// Where the tree cannot be read as a whole, only the path stays open until the form is empty again.
function openPath() {
  state.before = state.before || new Set(state.collapsed);
  state.collapsed = new Set(state.before);
  for (const id of state.lit.keys()) reveal(id);
  if (!legible()) splits.forEach(id => { if (!state.lit.has(id)) state.collapsed.add(id); });
}

// The reader says how deep the tree is open.
function chooseDepth(level) {
  state.folded = true;
  foldTo(level);
  if (!visible().includes(state.selected)) state.selected = 0;
  fit(true);
  showNode(state.selected);
}
const openDepth = () => visible().reduce((deepest, id) => Math.max(deepest, depths[id]), 0);
