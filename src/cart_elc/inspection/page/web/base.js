// Elements and numbers. Names from users enter the page only through textContent and attributes, never as markup.
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

const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
const leaves = n => `${n.toLocaleString("en")} ${n === 1 ? "leaf" : "leaves"}`;
const percent = share => `${Number((100 * share).toPrecision(3))} %`;
const minus = text => text.replace(/(^|[\s(])-(?=[\d(])/g, "$1−");
const short = value => (value === null ? "unknown" : minus(String(Number(value.toPrecision(5)))));
const signed = value => (value < 0 ? `(${short(value)})` : short(value));

// How many hyperplanes were covered: 29,700 or 4.5 × 10¹².
function large(value) {
  if (value === null) return "more than 10³⁰⁸";
  if (value < 1e7) return value.toLocaleString("en");
  const [digits, power] = value.toExponential(1).split("e");
  return `${digits} × 10${[...power.replace("+", "")].map(c => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")}`;
}

// The tree's own order.
const isLeaf = node => nodes[node].left === undefined;
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
const DEEPEST = depths.reduce((a, b) => Math.max(a, b), 0);
const ANSWERS = { left: "yes", right: "no", both: "both ways" };
