// The model as a whole: how often it is right, which features matter, its parameters, what the words mean.
function aboutModel() {
  const { parameters, importances, training, given } = data.about;
  const parts = [accuracyBlock(training, given)];
  const wide = data.classes.length > 2;
  const confused = given && !data.numbers;
  if (confused && !wide) parts.push(confusionBlock(given.confusion));
  if (importances && importances.length) parts.push(importanceBlock(importances));
  if (parameters.length) parts.push(block("Parameters", html("dl", { class: "parameters" }, parameters.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, html("code", {}, value))]))));
  parts.push(html("div", { class: "block words" }, html("h3", {}, "What the words mean"), glossary()));
  if (confused && wide) parts.push(confusionBlock(given.confusion));
  byId("about-body").append(...parts);
}

const block = (title, ...content) => html("div", { class: "block" }, html("h3", {}, title), ...content);

function accuracyBlock(training, given) {
  if (data.numbers) return explainedBlock(training, given);
  const found = [["Training rows", percent(training), null]];
  if (given) found.push([`${plural(given.n, "row")} of this page's data`, `${percent(given.right / given.n)} (${given.right.toLocaleString("en")} correct)`, null]);
  return block("Accuracy", factList(found), html("p", { class: "faint" }, "On rows that the tree was fitted on, accuracy is higher than on new ones."));
}

// R squared: the share of the variance that the tree explains.
function explainedBlock(training, given) {
  const found = [["Training rows", percent(training), null]];
  if (given) {
    const share = given.explained === null ? "" : `${percent(given.explained)}, `;
    found.push([`${plural(given.n, "row")} of this page's data`, `${share}root mean squared error ${given.error}`, null]);
  }
  return block("Variance explained", factList(found), html("p", { class: "faint" }, "On rows that the tree was fitted on, more is explained than on new ones."));
}

function confusionBlock(confusion) {
  const most = Math.max(...confusion.flat(), 1);
  const head = html("tr", {}, html("th", { scope: "col" }, "true \\ predicted"), data.classes.map((_, code) => html("th", { scope: "col" }, classLabel(code))));
  const rows = confusion.map((counted, truth) => html("tr", {}, html("th", { scope: "row" }, classLabel(truth)),
    counted.map((n, code) => html("td", { class: `number ${code === truth ? "right" : n ? "wrong" : ""}`, style: `--part:${(100 * n) / most}%` }, n.toLocaleString("en")))));
  const matrix = block("Confusion matrix", html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Confusion matrix" }, html("table", { class: "confusion" }, html("thead", {}, head), html("tbody", {}, rows))));
  matrix.classList.toggle("wide", confusion.length > 2);
  return matrix;
}

function importanceBlock(importances) {
  const most = importances[0][1];
  const rows = importances.slice(0, 20).flatMap(([feature, share]) => [html("span", { class: "feature", title: data.features[feature] }, data.features[feature]),
    html("span", { class: "meter" }, html("i", { class: "plain", style: `width:${(100 * share) / most}%` })), html("span", { class: "number" }, percent(share))]);
  const rest = importances.length > 20 ? html("p", { class: "faint" }, `${importances.length - 20} more are less important.`) : null;
  return block("Importances", html("div", { class: "counts" }, rows), rest);
}
