// The panel of the selected node.
function select(id) {
  state.selected = id;
  if (reveal(id) && !state.moved) fit(state.whole);
  else draw();
  bringIn([id]);
  showNode(id);
  for (const row of byId("leaf-rows").children) row.classList.toggle("selected", Number(row.dataset.node) === id);
}

function showNode(id) {
  byId("node-title").textContent = nameOf(id);
  const body = byId("node-body");
  body.replaceChildren();
  body.append(isLeaf(id) ? ruleBox(pathLines(id), pathText(id), "Copy the rule of this leaf") : ruleBox(spans(mainParts(id)), ruleText(id), "Copy this rule"));
  if (!isLeaf(id) && nodes[id].rule.features.length > MOST_TERMS) body.append(html("details", {}, html("summary", {}, `All ${nodes[id].rule.features.length} terms`), html("code", {}, ruleSpans(id))));
  if (nodes[id].note) body.append(html("p", { class: "faint" }, `Written with ${nodes[id].note}.`));
  body.append(counts(id), factList(facts(id)));
  if (isLeaf(id)) return;
  body.append(splitPlot(id) || html("p", { class: "faint", style: "margin-top:10px" }, samples ? "No row of the page reaches this split." : "Pass X and y to export_html to see the rows of this split."));
}

const ruleBox = (spans, text, label) => html("div", { class: "rule-box" }, html("code", {}, spans), copyButton(text, label));
const factList = found => html("dl", {}, found.flatMap(([name, value, key]) => [html("dt", {}, name), html("dd", {}, value, " ", key ? helpButton(key) : null)]));

// On a narrow screen the details are below the tree.
function showDetails() {
  if (matchMedia("(max-width: 900px)").matches) byId("node").scrollIntoView({ behavior: motion(), block: "start" });
}
const motion = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
