// Prediction as the library does it: sums from left to right in double precision, the stored numbers in full.
const columns = new Map(data.used.map((feature, column) => [feature, column]));

// A sample is a list of values of the used features; NaN is missing.
function visit(sample) {
  const found = [];
  const pending = [[0, 1]];
  while (pending.length) {
    const [id, share] = pending.pop();
    const step = { id, share };
    found.push(step);
    if (isLeaf(id)) continue;
    const node = nodes[id];
    Object.assign(step, sideOf(node, sample));
    if (step.side === "both") {
      const [left, right] = [nodes[node.left].weight, nodes[node.right].weight];
      const part = left / (left + right);
      if (part < 1) pending.push([node.right, share * (1 - part)]);
      if (part > 0) pending.push([node.left, share * part]);
    } else {
      pending.push([step.side === "left" ? node.left : node.right, share]);
    }
  }
  return found;
}

const valueOf = (sample, feature) => {
  const value = sample[columns.get(feature)];
  return Number.isNaN(value) && data.fill ? data.fill[feature] : value;
};

function sideOf(node, sample) {
  if (node.levels) return levelSide(node, sample);
  let sum = 0;
  const lacking = [];
  node.features.forEach((feature, i) => {
    const value = valueOf(sample, feature);
    if (Number.isNaN(value)) lacking.push(feature);
    sum += node.weights[i] * value;
  });
  if (lacking.length) return { side: node.missing, lacking };
  return { side: sum >= node.threshold ? "left" : "right", lacking };
}

// A split on a category: levels that it does not know go with the missing values.
function levelSide(node, sample) {
  const code = valueOf(sample, node.features[0]);
  const side = ["left", "right"].find(way => node.levels[way].includes(code));
  return side ? { side, lacking: [] } : { side: node.missing, lacking: node.features };
}

function predict(sample) {
  const totals = data.classes.map(() => 0);
  for (const { id, share } of visit(sample)) {
    if (isLeaf(id)) nodes[id].share.forEach((p, k) => { totals[k] += share * p; });
  }
  return { totals, code: totals.indexOf(Math.max(...totals)) };
}

// "0.62 × 1.8 + 4.9 = 6.02 ≥ 5.31": the written rule's own numbers, or, where rounding would say otherwise for this
// sample, the stored ones in full.
function written(step, sample) {
  const node = nodes[step.id];
  if (node.levels) {
    const level = data.categories[node.features[0]][valueOf(sample, node.features[0])];
    return { text: `${data.features[node.features[0]]} is ${level}`, brief: level, full: false };
  }
  const rounded = node.rule;
  const exact = { features: node.features, coefficients: node.weights, atLeast: true, threshold: node.threshold };
  const holds = step.side === "left";
  const rule = ruleHolds(rounded, sample) === holds ? rounded : exact;
  const terms = rule.features.map((feature, i) => {
    const c = rule.coefficients[i];
    const value = signed(valueOf(sample, feature));
    const size = Math.abs(c) === 1 ? value : `${Math.abs(c)} × ${value}`;
    return (c < 0 ? (i ? "− " : "−") : i ? "+ " : "") + size;
  });
  const sum = ruleSum(rule, sample);
  const [relation, threshold] = [PRINTED[relationOf(rule, holds)], minus(String(rule.threshold))];
  const total = truthful(sum, rule, holds);
  // A lone coefficient of 1 needs no sum: "1.4 ≤ 2.45".
  const plain = rule.features.length === 1 && rule.coefficients[0] === 1;
  const left = plain ? truthful(sum, rule, holds, "toPrecision", 5) : `${terms.join(" ")} = ${total}`;
  return { text: `${left} ${relation} ${threshold}`, brief: `${total} ${relation} ${threshold}`, full: rule === exact };
}

function ruleSum(rule, sample) {
  let sum = 0;
  rule.features.forEach((feature, i) => { sum += rule.coefficients[i] * valueOf(sample, feature); });
  return sum;
}

function ruleHolds(rule, sample) {
  const sum = ruleSum(rule, sample);
  return rule.atLeast ? sum >= rule.threshold : sum <= rule.threshold;
}

// The sum with the fewest digits, from those of the threshold on, with which the comparison reads true.
function truthful(sum, rule, holds, rounding = "toFixed", fewest = fewestDecimals(rule.threshold)) {
  for (let digits = fewest; digits <= 15; digits++) {
    const text = Number(sum[rounding](digits));
    if ((rule.atLeast ? text >= rule.threshold : text <= rule.threshold) === holds) return minus(String(text));
  }
  return minus(String(sum));
}
// As many as the threshold has, and as many as were asked for unless there are digits enough before the point.
function fewestDecimals(threshold) {
  const before = Math.floor(Math.log10(Math.max(10, Math.abs(threshold))));
  return Math.max(0, data.decimals - before + 1, decimalsOf(threshold));
}
function decimalsOf(value) {
  const [mantissa, power] = String(value).split("e");
  return Math.min(15, Math.max(0, (mantissa.split(".")[1] || "").length - Number(power || 0)));
}

// The rows of the page, and for every node those that pass through it.
const samples = data.samples && data.samples.values.map(row => row.map(value => (value === null ? NaN : value)));
const passing = nodes.map(() => []);
if (samples) samples.forEach((sample, i) => visit(sample).forEach(({ id }) => passing[id].push(i)));
