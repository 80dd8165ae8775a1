// The table of the leaves.
function leafTable() {
  if (data.numbers) [byId("output-head").textContent, byId("share-head").textContent] = ["Mean", "Spread"];
  nodes.forEach((node, id) => {
    if (!isLeaf(id)) return;
    byId("leaf-rows").append(html("tr", { "data-node": id },
      html("td", {}, html("button", { type: "button", class: "quiet", "aria-label": `Show leaf ${id}`, onclick: () => { select(id); byId("node-title").focus(); showDetails(); } }, `#${id}`)),
      html("td", {}, outputLabel(id)),
      html("td", { class: "number" }, node.n.toLocaleString("en")),
      html("td", { class: "number" }, shareOf(id), data.numbers ? "" : html("span", { class: "faint interval" }, ` ${node.interval}`)),
      html("td", { class: "rule-cell" }, html("code", {}, pathSpans(id))),
      html("td", { class: "control" }, copyButton(() => leafRule(id), `Copy the rule of leaf ${id}`))));
  });
  const all = () => nodes.map((_, id) => id).filter(isLeaf).map(leafRule).join("\n");
  byId("copy-all").addEventListener("click", async () => tellCopied(byId("copy-all"), await copy(all()), "Copy all"));
}
