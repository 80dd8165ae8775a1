// The form holds the used features only; an empty field is a missing value.
const fields = data.used.map((feature, column) => {
  const input = data.categories[feature] ? levelChoice(column, data.categories[feature])
    : html("input", { id: `value-${column}`, type: "number", step: "any", inputmode: "decimal", placeholder: data.fill ? `filled: ${short(data.fill[feature])}` : "missing" });
  input.addEventListener("input", () => { byId("row").value = ""; trace(); });
  byId("inputs").append(html("div", {}, html("label", { for: input.id }, data.features[feature]), input));
  return input;
});

function levelChoice(column, levels) {
  return html("select", { id: `value-${column}` }, html("option", { value: "" }, "missing"), levels.map((level, code) => html("option", { value: code }, level)));
}

const emptyForm = () => fields.every(input => input.value === "");

// The path lights up.
function trace() {
  const list = byId("steps");
  list.replaceChildren();
  byId("row-note").textContent = "";
  byId("verdict").replaceChildren();
  state.sample = emptyForm() && byId("row").value === "" ? null : fields.map(input => (input.value === "" ? NaN : Number(input.value)));
  state.lit = null;
  if (state.sample) {
    const steps = visit(state.sample);
    state.lit = new Map(steps.map(step => [step.id, step]));
    for (const step of steps) if (!isLeaf(step.id)) list.append(stepItem(step));
    byId("verdict").append(...verdict(state.sample));
    openPath();
  } else if (state.before) {
    [state.collapsed, state.before] = [state.before, null];
  }
  if (!visible().includes(state.selected)) state.selected = 0;
  fit();
  showReached();
  showNode(state.selected);
}

// The leaves that the sample ends in, the heaviest first.
const reached = () => [...state.lit.values()].filter(step => isLeaf(step.id)).sort((a, b) => b.share - a.share).map(step => step.id);

// The end of the path is in sight; an outline that is part of the page's own length stays where it is.
function showReached() {
  if (!state.lit) return;
  const view = byId("viewport");
  if (!state.outline) bringIn(reached());
  else if (view.scrollHeight > view.clientHeight + 1) view.scrollTop = cards.get(reached()[0]).y - view.clientHeight / 3;
}

// What is predicted and, for a row of the page that has a label, whether it is so.
function verdict(sample) {
  if (data.numbers) return numberVerdict();
  const { totals, code } = predict(sample);
  const parts = ["Predicted", classLabel(code), html("span", { class: "faint" }, percent(totals[code]) + (reached().length === 1 ? ` (${nodes[reached()[0]].interval})` : ""))];
  const at = byId("row").value === "" || !data.samples.labelled ? -1 : data.samples.rows.indexOf(Number(byId("row").value));
  if (at < 0) return parts;
  const truth = data.samples.codes[at];
  return [...parts, html("span", { class: truth === code ? "proven" : "unproven" }, truth === code ? "✓ true class" : "✗ true class"), classLabel(truth)];
}

function numberVerdict() {
  const id = reached()[0];
  const parts = ["Predicted", outputLabel(id), html("span", { class: "faint" }, shareOf(id))];
  const at = byId("row").value === "" || !data.samples.labelled ? -1 : data.samples.rows.indexOf(Number(byId("row").value));
  return at < 0 ? parts : [...parts, html("span", {}, `true ${short(data.samples.numbers[at])}`)];
}

function stepItem(step) {
  const side = ANSWERS[step.side];
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
    html("span", { class: "faint clamp", title: `#${step.id} · ${ruleText(step.id)}` }, `#${step.id} · `, ...spans(ruleParts(step.id))), html("code", {}, spans(text.split(/ (?=[−+=<>≤≥] )/)))));
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
