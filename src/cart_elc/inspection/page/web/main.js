// Panels, form, table, and what happens on clicks.
function select(id) {
  state.selected = id;
  if (reveal(id) && !state.moved) fit(state.whole);
  else draw();
  bringIn([id]);
  showNode(id);
  for (const row of byId("leaf-rows").children) row.classList.toggle("selected", Number(row.dataset.node) === id);
}

function showNode(id) {
  const node = nodes[id];
  byId("node-title").textContent = isLeaf(id) ? `Leaf ${id}: ${data.classes[node.majority]}` : `Split ${id}`;
  const body = byId("node-body");
  body.replaceChildren();
  if (!isLeaf(id)) body.append(ruleBox(ruleSpans(id), ruleText(id), "Copy this rule"));
  if (node.note) body.append(html("p", { class: "faint" }, `Written with ${node.note}.`));
  if (isLeaf(id)) body.append(ruleBox(pathLines(id), pathText(id), "Copy the rule of this leaf"));
  body.append(counts(node), html("dl", {}, facts(id).flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)])));
  if (!isLeaf(id)) {
    const plot = splitPlot(id);
    body.append(plot || html("p", { class: "faint", style: "margin-top:10px" }, samples ? "No row of the page reaches this split." : "Pass X and y to export_html to see the rows of this split."));
  }
}

const ruleBox = (spans, text, label) => html("div", { class: "rule-box" }, html("code", {}, spans), copyButton(text, label));

// On a narrow screen the details are below the tree.
function showDetails() {
  if (matchMedia("(max-width: 900px)").matches) byId("node").scrollIntoView({ behavior: motion(), block: "start" });
}
const motion = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");

function counts(node) {
  const list = html("div", { class: "counts" });
  node.value.forEach((value, code) => {
    if (data.classes.length > 8 && !value) return;
    list.append(classLabel(code),
      html("span", { class: "meter" }, html("i", { style: `width:${100 * node.share[code]}%;background:${color(code)}` })),
      html("span", { class: "number" }, `${short(value)} · ${percent(node.share[code])}`));
  });
  return list;
}

function facts(id) {
  const node = nodes[id];
  const found = [["Rows", node.n.toLocaleString("en") + (Math.abs(node.weight - node.n) > 1e-9 * node.n ? `, weight ${short(node.weight)}` : "")]];
  found.push([data.impurity === "impurity" ? "Impurity" : `Impurity (${data.impurity})`, node.impurity.toFixed(4)]);
  if (isLeaf(id)) return found;
  found.push([data.criterion === "score" ? "Score" : `Score (${data.criterion})`, node.score === null ? "unknown" : node.score.toFixed(4)]);
  const proof = node.proven
    ? html("span", { class: "proven" }, "✓ proven: no candidate is better")
    : html("span", { class: "unproven" }, `not proven${node.bound === null ? "" : `, bound ${node.bound.toFixed(4)}`}`);
  found.push(["Certificate", proof]);
  if (node.candidates === null || node.candidates > 0) found.push(["Candidates", `${large(node.candidates)} covered`]);
  if (!data.fill) found.push(["Missing values", { left: "go to yes", right: "go to no", both: "go both ways, in proportion" }[node.missing]]);
  return found;
}

// The form holds the used features only; an empty field is a missing value.
const fields = data.used.map((feature, column) => {
  const input = html("input", { id: `value-${column}`, type: "number", step: "any", inputmode: "decimal", placeholder: data.fill ? `filled: ${short(data.fill[feature])}` : "missing" });
  input.addEventListener("input", () => { byId("row").value = ""; trace(); });
  byId("inputs").append(html("div", {}, html("label", { for: input.id }, data.features[feature]), input));
  return input;
});

const emptyForm = () => fields.every(input => input.value === "");

// The path lights up.
function trace() {
  const form = byId("steps");
  form.replaceChildren();
  byId("row-note").textContent = "";
  byId("verdict").replaceChildren();
  state.sample = emptyForm() && byId("row").value === "" ? null : fields.map(input => (input.value === "" ? NaN : Number(input.value)));
  state.lit = null;
  if (state.sample) {
    const steps = visit(state.sample);
    state.lit = new Map(steps.map(step => [step.id, step]));
    for (const step of steps) if (!isLeaf(step.id)) form.append(stepItem(step));
    const { totals, code } = predict(state.sample);
    byId("verdict").append("Predicted", classLabel(code), html("span", { class: "faint" }, percent(totals[code])));
    openPath();
  } else if (state.before) {
    [state.collapsed, state.before] = [state.before, null];
  }
  if (!visible().includes(state.selected)) state.selected = 0;
  fit();
  showNode(state.selected);
}

// Where the tree cannot be read as a whole, only the path stays open until the form is empty again.
function openPath() {
  state.before = state.before || new Set(state.collapsed);
  state.collapsed = new Set(state.before);
  for (const id of state.lit.keys()) reveal(id);
  if (!legible()) nodes.forEach((_, id) => { if (!isLeaf(id) && !state.lit.has(id)) state.collapsed.add(id); });
}

function stepItem(step) {
  const side = { left: "left", right: "right", both: "both ways" }[step.side];
  let text;
  if (step.lacking.length) {
    text = `${step.lacking.map(f => data.features[f]).join(", ")} missing, ${side}`;
  } else {
    const sum = written(step, state.sample);
    step.brief = sum.brief;
    text = `${sum.text}, ${side}${sum.full ? " (in full: the rounded rule would err for this sample)" : ""}`;
  }
  if (step.share < 1) text += ` (share ${percent(step.share)})`;
  return html("li", { "data-node": step.id }, html("button", { type: "button", onclick: () => select(step.id) },
    html("span", { class: "faint clamp" }, ruleText(step.id)), html("code", {}, text.split(/ (?=[-+=<>]=? )/).flatMap((part, i) => [i ? " " : null, html("span", {}, part)]))));
}

function pickRow(i) {
  samples[i].forEach((value, column) => { fields[column].value = Number.isNaN(value) ? "" : String(value); });
  byId("row").value = data.samples.rows[i];
  trace();
}

function pickTyped() {
  if (byId("row").value === "") return;
  const wanted = Number(byId("row").value);
  const at = nearestRow(wanted);
  pickRow(at);
  if (data.samples.rows[at] !== wanted) byId("row-note").textContent = `Row ${wanted} is not in this page; this is the next that is.`;
}

function nearestRow(row) {
  const rows = data.samples.rows;
  const at = rows.findIndex(r => r >= row);
  return at < 0 ? rows.length - 1 : at;
}

function step(by) {
  const value = byId("row").value;
  const n = samples.length;
  pickRow(value === "" ? (by > 0 ? 0 : n - 1) : (nearestRow(Number(value)) + by + n) % n);
}

function leafTable() {
  nodes.forEach((node, id) => {
    if (!isLeaf(id)) return;
    byId("leaf-rows").append(html("tr", { "data-node": id },
      html("td", {}, html("button", { type: "button", class: "quiet", "aria-label": `Show leaf ${id}`, onclick: () => { select(id); byId("node-title").focus(); showDetails(); } }, `#${id}`)),
      html("td", {}, classLabel(node.majority)),
      html("td", { class: "number" }, node.n.toLocaleString("en")),
      html("td", { class: "number" }, percent(node.share[node.majority])),
      html("td", { class: "rule-cell" }, html("code", {}, pathSpans(id))),
      html("td", {}, copyButton(`if ${pathText(id)} then ${data.classes[node.majority]}`, `Copy the rule of leaf ${id}`))));
  });
  const all = () => nodes.map((node, id) => (isLeaf(id) ? `if ${pathText(id)} then ${data.classes[node.majority]}` : null)).filter(Boolean).join("\n");
  byId("copy-all").addEventListener("click", async () => {
    byId("copy-all").textContent = (await copy(all())) ? "Copied" : "No access";
    setTimeout(() => { byId("copy-all").textContent = "Copy all"; }, 1500);
  });
}

function setTheme(choice) {
  const dark = choice === "Auto" ? matchMedia("(prefers-color-scheme: dark)").matches : choice === "Dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  data.colors[dark ? "dark" : "light"].forEach((value, code) => document.documentElement.style.setProperty(`--class-${code}`, value));
  const button = byId("theme");
  button.dataset.choice = choice;
  button.textContent = { Auto: "◐ Auto", Light: "☀ Light", Dark: "☾ Dark" }[choice];
  button.setAttribute("aria-label", `Colour scheme: ${choice === "Auto" ? "automatic" : choice.toLowerCase()}`);
}

function intro() {
  const splits = nodes.filter((_, id) => !isLeaf(id));
  const proven = splits.filter(node => node.proven).length;
  const parts = [leaves(leafCounts[0]), `depth ${Math.max(...depths)}`, plural(nodes[0].n, "training row")];
  if (splits.length) parts.push(proven === splits.length ? "every split proven optimal" : `${proven} of ${splits.length} splits proven optimal`);
  byId("summary").textContent = [...(data.title === data.estimator ? [] : [data.estimator]), ...parts].join(" · ");
  data.classes.forEach((_, code) => byId("legend").append(html("li", {}, chip(code), data.classes[code])));
  const notes = [];
  if (splits.length) {
    notes.push(data.checked
      ? "Rules are rounded to the fewest digits with which every training row stays on its side; predictions here use the stored numbers in full."
      : "Rules are rounded and were not checked on the training rows; predictions here use the stored numbers in full.");
  }
  if (samples && samples.length < data.samples.total) {
    notes.push(`${samples.length.toLocaleString("en")} of ${plural(data.samples.total, "row")} are in this page, an even choice from every leaf; histograms count these.`);
  }
  if (samples && !data.samples.labelled) notes.push("Points have the colours of their predicted classes.");
  notes.push("Made with cart-elc; this page works offline.");
  byId("footer").textContent = notes.join(" ");
}

function start() {
  intro();
  setTheme("Auto");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (byId("theme").dataset.choice === "Auto") setTheme("Auto"); });
  byId("theme").addEventListener("click", () => setTheme({ Auto: "Light", Light: "Dark", Dark: "Auto" }[byId("theme").dataset.choice]));
  leafTable();
  byId("mode").addEventListener("click", chooseMode);
  byId("expand").addEventListener("click", () => { state.folded = true; state.collapsed.clear(); fit(true); });
  byId("collapse").addEventListener("click", () => {
    state.folded = true;
    nodes.forEach((_, id) => { if (!isLeaf(id) && id) state.collapsed.add(id); });
    fit();
    select(0);
  });
  byId("back").addEventListener("click", () => byId("picture").scrollIntoView({ behavior: motion() }));
  byId("fit").addEventListener("click", () => fit(true));
  byId("zoom-in").addEventListener("click", () => zoom(1.3));
  byId("zoom-out").addEventListener("click", () => zoom(1 / 1.3));
  byId("clear").addEventListener("click", () => { fields.forEach(input => { input.value = ""; }); byId("row").value = ""; trace(); });
  byId("form").addEventListener("submit", event => event.preventDefault());
  const unused = data.features.length - data.used.length;
  byId("form-note").textContent = unused ? `${plural(unused, "feature")} of the data ${unused === 1 ? "is" : "are"} not used by the tree.` : "";
  if (samples && samples.length && data.used.length) {
    byId("pick").hidden = false;
    byId("row").addEventListener("change", pickTyped);
    byId("previous").addEventListener("click", () => step(-1));
    byId("next").addEventListener("click", () => step(1));
    byId("random").addEventListener("click", () => pickRow(Math.floor(Math.random() * samples.length)));
  }
  byId("sample").hidden = data.used.length === 0;
  document.querySelector(".skip").addEventListener("click", event => { event.preventDefault(); focusNode(state.selected); });
  observeSize();
  select(0);
}
start();
