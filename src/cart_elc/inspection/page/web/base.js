// Helpers. Names from users enter the page only through textContent and attributes, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const nodes = data.nodes;
const byId = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function make(space, tag, attributes, children) {
  const element = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}
const html = (tag, attributes, ...children) => make(null, tag, attributes, children);
const svg = (tag, attributes, ...children) => make(SVG, tag, attributes, children);

const isLeaf = node => nodes[node].left === undefined;
const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const leaves = n => `${n.toLocaleString("en")} ${n === 1 ? "leaf" : "leaves"}`;
const percent = share => `${Number((100 * share).toPrecision(3))} %`;
const short = value => (value === null ? "unknown" : String(Number(value.toPrecision(5))));
const signed = value => (value < 0 ? `(${short(value)})` : short(value));

// How many hyperplanes were covered: 29,700 or 4.5 × 10¹².
function large(value) {
  if (value === null) return "more than 10³⁰⁸";
  if (value < 1e7) return value.toLocaleString("en");
  const [digits, power] = value.toExponential(1).split("e");
  return `${digits} × 10${[...power.replace("+", "")].map(c => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")}`;
}

const parents = nodes.map(() => -1);
const depths = nodes.map(() => 0);
const leafCounts = nodes.map(() => 1);
nodes.forEach((node, id) => {
  if (isLeaf(id)) return;
  for (const child of [node.left, node.right]) {
    parents[child] = id;
    depths[child] = depths[id] + 1;
  }
});
for (let id = nodes.length - 1; id >= 0; id--) {
  if (!isLeaf(id)) leafCounts[id] = leafCounts[nodes[id].left] + leafCounts[nodes[id].right];
}

// The rule in pieces between which a line may be broken; `holds` false gives the rule of the right side.
function ruleParts(id, holds = true) {
  const rule = nodes[id].rule;
  const parts = rule.features.map((feature, i) => {
    const c = rule.coefficients[i];
    const size = Math.abs(c) === 1 ? "" : `${Math.abs(c)}·`;
    const sign = c < 0 ? (i ? "- " : "-") : i ? "+ " : "";
    return sign + size + data.features[feature];
  });
  const relation = rule.atLeast ? (holds ? ">=" : "<") : holds ? "<=" : ">";
  return [...parts, `${relation} ${rule.threshold}`];
}
const ruleText = (id, holds = true) => ruleParts(id, holds).join(" ");

// Conditions from the root to a node, as pairs of node and whether its rule holds.
function conditions(id) {
  const found = [];
  for (let node = id; parents[node] >= 0; node = parents[node]) {
    found.unshift([parents[node], nodes[parents[node]].left === node]);
  }
  return found;
}
// Rules in code elements: a line may be broken between terms, not inside names.
const ruleSpans = (id, holds = true) => ruleParts(id, holds).flatMap((part, i) => [i ? " " : null, html("span", {}, part)]);
const pathSpans = id => (id ? conditions(id).flatMap(([node, holds], i) => [i ? html("b", {}, " and ") : null, ...ruleSpans(node, holds)]) : ["always"]);
const pathLines = id => (id ? conditions(id).map(([node, holds], i) => html("div", {}, i ? html("b", {}, "and ") : null, ruleSpans(node, holds))) : ["always"]);
const pathText = id => conditions(id).map(([node, holds]) => ruleText(node, holds)).join(" and ") || "always";

// Shapes tell classes apart without colour.
const corners = (n, r, turn = 0, inner = null) => Array.from({ length: inner ? 2 * n : n }, (_, i) => {
  const [size, angle] = [inner && i % 2 ? inner : r, turn + (i * 2 * Math.PI) / (inner ? 2 * n : n) - Math.PI / 2];
  return `${i ? "L" : "M"}${(size * Math.cos(angle)).toFixed(2)} ${(size * Math.sin(angle)).toFixed(2)}`;
}).join("") + "Z";
const SHAPES = [
  r => `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`,
  r => `M${-r * 0.88} ${-r * 0.88}H${r * 0.88}V${r * 0.88}H${-r * 0.88}Z`,
  r => `M0 ${-r * 1.25}L${r * 1.25} 0L0 ${r * 1.25}L${-r * 1.25} 0Z`,
  r => `M0 ${-r * 1.2}L${r * 1.1} ${r * 0.85}H${-r * 1.1}Z`,
  r => `M0 ${r * 1.2}L${r * 1.1} ${-r * 0.85}H${-r * 1.1}Z`,
  r => `M${-r * 0.4} ${-r * 1.15}H${r * 0.4}V${-r * 0.4}H${r * 1.15}V${r * 0.4}H${r * 0.4}V${r * 1.15}H${-r * 0.4}V${r * 0.4}H${-r * 1.15}V${-r * 0.4}H${-r * 0.4}Z`,
  r => corners(5, 1.35 * r, 0, 0.58 * r),
  r => corners(4, 1.35 * r, Math.PI / 4, 0.45 * r),
  r => corners(3, 1.25 * r, -Math.PI / 2),
  r => corners(3, 1.25 * r, Math.PI / 2),
  r => corners(5, 1.15 * r),
  r => corners(6, 1.15 * r),
];
const shape = (code, r) => SHAPES[code % SHAPES.length](r);
const color = code => `var(--class-${code})`;  // set with the theme
const chip = code => svg("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" },
  svg("path", { d: shape(code, 5.2), fill: color(code) }));
const classLabel = code => html("span", { class: "class" }, chip(code), html("span", {}, data.classes[code]));

function copyButton(text, label) {
  const button = html("button", { type: "button", class: "quiet", "aria-label": label, title: label }, "Copy");
  button.addEventListener("click", async event => {
    event.stopPropagation();
    button.textContent = (await copy(typeof text === "function" ? text() : text)) ? "Copied" : "No access";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = html("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
