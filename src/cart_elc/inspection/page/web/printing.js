// On paper: the whole tree on one page if it can be read there, all splits and all leaves in tables, no controls.
const PAPER = [690, 980];  // what a sheet of A4 or letter has room for, in pixels
const LEAST_PRINTED = 0.42, HALF_PRINTED = 0.62;  // text of 13 pixels is then 4 or 6 points high

function preparePaper() {
  const kept = { ...state };
  Object.assign(state, { collapsed: new Set(), lit: null, selected: -1, found: new Set(), outline: false, form: FORMS[0] });
  const ways = [PAPER, [PAPER[0], PAPER[1] * 0.55]].map(room => ({ room, ...bestForm(all => [...all.values()], 1, room) }));
  const { form, scale } = ways[1].scale >= HALF_PRINTED ? ways[1] : ways[0];
  byId("paper-tree").replaceChildren(...(scale >= LEAST_PRINTED ? [printedTree(form, scale)] : [html("p", {}, "The tree is too large for a sheet; its splits and leaves are below.")]));
  Object.assign(state, kept);
  byId("paper-rows").replaceChildren(...splits.map(printedSplit));
  byId("paper-splits").hidden = !splits.length;
}

function printedTree(form, scale) {
  const places = arranged(form);
  const { left, top, width, height } = bounds([...places.values()]);
  const picture = svg("svg", { class: "printed", viewBox: `${left - 6} ${top - 6} ${width + 12} ${height + 12}`, width: (width + 12) * scale, height: (height + 12) * scale });
  picture.append(...drawn(places, form));
  for (const element of picture.querySelectorAll("[id]")) element.removeAttribute("id");
  for (const element of picture.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex");
  return picture;
}

function printedSplit(id) {
  const { left, right, n, score, proven } = nodes[id];
  const child = to => html("td", {}, `#${to}`);
  return html("tr", {}, html("td", {}, `#${id}`), html("td", { class: "rule-cell" }, html("code", {}, ruleSpans(id))), child(left), child(right),
    html("td", { class: "number" }, n.toLocaleString("en")), html("td", { class: "number" }, score === null ? "" : score.toFixed(4)), html("td", {}, proven ? "✓ proven" : "not proven"));
}

function clearPaper() {
  byId("paper-tree").replaceChildren();
  byId("paper-rows").replaceChildren();
}

function startPrinting() {
  const theme = document.documentElement.dataset;
  let before = null;
  window.addEventListener("beforeprint", () => { before = byId("theme").dataset.choice; setTheme("Light"); preparePaper(); });
  window.addEventListener("afterprint", () => { clearPaper(); setTheme(before || theme.theme); });
  byId("print").addEventListener("click", () => window.print());
}
