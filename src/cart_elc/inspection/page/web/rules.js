// Rules in words: with the signs of print on the page, in plain characters where they are copied.
const PRINTED = { ">=": "≥", "<=": "≤", "<": "<", ">": ">" };

function relationOf(rule, holds) {
  return rule.atLeast ? (holds ? ">=" : "<") : holds ? "<=" : ">";
}

// The rule in pieces between which a line may be broken; `holds` false gives the rule of the no side.
function plainParts(id, holds = true) {
  const { rule, levels } = nodes[id];
  if (levels) return subsetParts(id, holds);
  const parts = rule.features.map((feature, i) => {
    const c = rule.coefficients[i];
    const size = Math.abs(c) === 1 ? "" : `${Math.abs(c)}·`;
    const sign = c < 0 ? (i ? "- " : "-") : i ? "+ " : "";
    return sign + size + data.features[feature];
  });
  return [...parts, `${relationOf(rule, holds)} ${rule.threshold}`];
}
// "colour in {blue, red}"; where the rule holds for missing values alone, the levels for which it does not.
function subsetParts(id, holds) {
  const { features, levels } = nodes[id];
  const names = (levels.left.length ? levels.left : levels.right).map(code => data.categories[features[0]][code]);
  return [`${data.features[features[0]]} ${holds === levels.left.length > 0 ? "in" : "not in"}`, ...names.map((name, i) => (i ? "" : "{") + name + (i < names.length - 1 ? "," : "}"))];
}
const ruleText = (id, holds = true) => plainParts(id, holds).join(" ");

const printed = part => part.replace(/^- ?/, sign => sign.replace("-", "−")).replace(/^([<>]=?) (-?)/, (_, relation, sign) => `${PRINTED[relation]} ${sign && "−"}`);
const ruleParts = (id, holds = true) => plainParts(id, holds).map(printed);

// Of a long rule the largest terms, each coefficient times the spread of its feature if that is known.
const MOST_TERMS = 5;
function mainParts(id, holds = true) {
  const parts = ruleParts(id, holds);
  const terms = parts.slice(0, -1);
  if (terms.length <= MOST_TERMS) return parts;
  if (nodes[id].levels) return [...terms.slice(0, MOST_TERMS), `and ${terms.length - MOST_TERMS + 1} more}`];
  const sizes = effects(id).map(Math.abs);
  const kept = sizes.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a]).slice(0, MOST_TERMS - 1).sort((a, b) => a - b);
  const chosen = kept.map((i, at) => (at ? terms[i] : terms[i].replace(/^\+ /, "")));
  return [...chosen, `+ ${terms.length - kept.length} smaller terms`, parts[parts.length - 1]];
}

// How much each feature of the written rule moves its sum.
function effects(id) {
  const { rule, features, spread } = nodes[id];
  return rule.features.map((feature, i) => rule.coefficients[i] * (spread ? spread[features.indexOf(feature)] : 1));
}

// Conditions from the root to a node, as pairs of node and whether its rule holds.
function conditions(id) {
  const found = [];
  for (let node = id; parents[node] >= 0; node = parents[node]) {
    found.unshift([parents[node], nodes[parents[node]].left === node]);
  }
  return found;
}
// Rules in code elements: a line may be broken between terms, not inside names.
const spans = parts => parts.flatMap((part, i) => [i ? " " : null, html("span", {}, part.replace(/^([−+=<>≤≥]) /, "$1\u00a0"))]);
const ruleSpans = (id, holds = true) => spans(ruleParts(id, holds));
const pathSpans = id => (id ? conditions(id).flatMap(([node, holds], i) => [i ? html("b", {}, " and ") : null, ...spans(mainParts(node, holds))]) : ["always"]);
const pathLines = id => (id ? conditions(id).map(([node, holds], i) => html("div", {}, i ? html("b", {}, "and ") : null, spans(mainParts(node, holds)))) : ["always"]);
const pathText = id => conditions(id).map(([node, holds]) => ruleText(node, holds)).join(" and ") || "always";
const leafRule = id => `if ${pathText(id)} then ${outputOf(id)}`;
