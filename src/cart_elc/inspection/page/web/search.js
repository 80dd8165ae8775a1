// Finding boxes by the name of a feature or class.
const wordsOf = id => (isLeaf(id) ? [outputOf(id)] : nodes[id].rule.features.map(feature => data.features[feature])).join("\n").toLowerCase();

function search() {
  const wanted = byId("search").value.trim().toLowerCase();
  const found = wanted ? nodes.map((_, id) => id).filter(id => wordsOf(id).includes(wanted) || `#${id}` === wanted) : [];
  state.found = new Set(found);
  byId("found").textContent = wanted ? (found.length ? `${found.length.toLocaleString("en")} found; Enter shows the next` : "Nothing found") : "";
  draw();
}

function nextFound() {
  const found = [...state.found];
  if (!found.length) return;
  select(found.find(id => id > state.selected) ?? found[0]);
}

function startSearch() {
  byId("search").addEventListener("input", search);
  byId("search").addEventListener("keydown", event => {
    if (event.key === "Enter") nextFound();
    if (event.key !== "Escape") return;
    byId("search").value = "";
    search();
  });
}
