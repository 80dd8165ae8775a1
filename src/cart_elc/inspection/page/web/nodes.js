// What is said of a node, in one place: what it predicts, its rows, its numbers.
// Of numbers the mean, in the colour of its band, and the spread around it.
const outputOf = id => (data.numbers ? nodes[id].output : data.classes[nodes[id].majority]);
const outputLabel = id => labelled(nodes[id].majority, outputOf(id));
const shareOf = id => (data.numbers ? nodes[id].sd : percent(nodes[id].share[nodes[id].majority]));
const summaryOf = id => (data.numbers ? `${outputOf(id)} ${shareOf(id)}` : `${shareOf(id)} ${outputOf(id)}`);
const nameOf = id => (isLeaf(id) ? `Leaf #${id}: ${outputOf(id)}` : `Split #${id}`);

// What stands below the rule in a box, in pieces: id, rows and share, or, on the path of a sample, the sum.
function captionParts(id) {
  const step = state.lit && state.lit.get(id);
  if (step && step.brief) return [`#${id} ·`, `${step.brief}: ${ANSWERS[step.side]}`];
  if (step && step.lacking && step.lacking.length) return [`#${id} ·`, `missing: ${ANSWERS[step.side]}`];
  return [`#${id} ·`, `${plural(nodes[id].n, "row")} ·`, isLeaf(id) ? shareOf(id) : summaryOf(id)];
}
const hiddenBelow = id => (isLeaf(id) || open(id) ? [] : [`${leaves(leafCounts[id])} below`]);

// Everything that a box cannot hold, for pointers.
function tipOf(id) {
  const counted = nodes[id].value.map((value, code) => (value ? `${data.classes[code]} ${short(value)}` : null)).filter(Boolean);
  return [nameOf(id), ...(isLeaf(id) ? [] : [ruleParts(id).join(" ")]), counted.join(", ")].join("\n");
}

// What a screen reader says: which answer leads here, the rule or the class, the rows, the proof, the path.
function spoken(id) {
  const answer = id ? (nodes[parents[id]].left === id ? "Yes: " : "No: ") : "";
  const path = state.lit && state.lit.has(id) ? "; on the path of the sample" : "";
  const rows = plural(nodes[id].n, "row");
  if (isLeaf(id)) return `${answer}Leaf ${id}: ${outputOf(id)}, ${rows}, ${shareOf(id)}${path}`;
  return `${answer}Split ${id}: ${ruleText(id)}; ${rows}, ${summaryOf(id)}; ${nodes[id].proven ? "proven optimal" : "not proven"}${path}`;
}

// The classes, or bands of numbers, of a node: a bar and beside it the same quantity in numbers.
function counts(id) {
  const node = nodes[id];
  const list = html("div", { class: "counts" });
  node.value.forEach((value, code) => {
    if (data.classes.length > 8 && !value) return;
    list.append(classLabel(code),
      html("span", { class: "meter" }, html("i", { style: `width:${100 * node.share[code]}%;--class:${color(code)}` })),
      html("span", { class: "number" }, `${percent(node.share[code])} · ${short(value)}`));
  });
  return list;
}

// Names, values and keys of help.
function facts(id) {
  const node = nodes[id];
  const weight = Math.abs(node.weight - node.n) > 1e-9 * node.n ? `, weight ${short(node.weight)}` : "";
  const found = [["Rows", node.n.toLocaleString("en") + weight, null]];
  found.push(data.numbers ? ["Mean and standard deviation", summaryOf(id), null] : ["Share of the class", `${shareOf(id)} (${node.interval})`, "interval"]);
  found.push([`Impurity of the node (${data.impurity})`, node.impurity.toFixed(4), "impurity"]);
  return isLeaf(id) ? found : [...found, ...splitFacts(node)];
}

function splitFacts(node) {
  const found = [[`Score of the split (${data.score.name})`, node.score === null ? "unknown" : node.scoreText.replace(`${data.score.name} `, ""), "score"]];
  const proof = node.proven
    ? html("span", { class: "proven" }, "✓ proven: no candidate is better")
    : html("span", { class: "unproven" }, `not proven${node.bound === null ? "" : `, bound ${node.bound.toFixed(4)}`}`);
  found.push(["Certificate", proof, "certificate"]);
  if (node.candidates === null || node.candidates > 0) found.push(["Candidates", `${large(node.candidates)} covered`, "candidates"]);
  if (!data.fill) found.push(["Missing values", { left: "go to yes", right: "go to no", both: "go both ways, in proportion" }[node.missing], null]);
  return found;
}
