// The page follows the size of its view: a frame in a notebook gets its size late, windows are resized, phones turned.
// The mode follows until the reader chooses one, the folding until the reader folds, the place until the reader moves it.
const NARROW = matchMedia("(max-width: 700px)");
let settledFor = "";

function followSize() {
  nameMode(state.chosenMode === null ? NARROW.matches : state.chosenMode);
  const { clientWidth, clientHeight } = byId("viewport");
  const size = state.outline ? `outline ${clientWidth}` : `tree ${clientWidth} ${clientHeight}`;  // an outline is as high as its boxes
  if (size === settledFor) return;
  settledFor = size;
  settle();
}

function settle() {
  if (!state.folded) refold();
  if (state.moved) draw();
  else fit(state.whole);
  showReached();
  showNode(state.selected);
}

function refold() {
  state.before = null;
  foldToFit();
  if (state.lit) openPath();
  reveal(state.selected);
}

function nameMode(isOutline) {
  state.outline = isOutline;
  byId("viewport").classList.toggle("outline", isOutline);
  byId("mode").textContent = isOutline ? "As a tree" : "As an outline";
  document.querySelector(".zoom").hidden = isOutline;
  byId("hint").textContent = isOutline
    ? "“yes” is where the rule holds. Tap a box for details, its circle to fold it."
    : "“yes” is where the rule holds. Drag to move, Ctrl and wheel to zoom; arrow keys walk the tree.";
}

function chooseMode() {
  state.chosenMode = !state.outline;
  followSize();
  bringIn([state.selected]);
}

function observeSize() {
  byId("viewport").classList.toggle("lone", nodes.length === 1);
  followSize();
  new ResizeObserver(followSize).observe(byId("viewport"));
}
