// What the words mean, where they stand.
const HELP = {
  impurity: { gini: "The chance that two rows drawn from the node differ in class: 0 is a pure node.", entropy: "How many bits the class of a row of the node still needs: 0 is a pure node.", variance: "The mean squared distance of the node's rows from their mean: 0 is a pure node." }[data.impurity] || "How mixed the classes of the node are: 0 is a pure node.",
  score: data.score.meaning,
  certificate: "Proven: the search has covered every candidate and none has a better score. Where it was cut short, the bound says how good a split could still be.",
  candidates: "All the planes that the search covered, most of them in whole boxes at once without looking at each.",
  interval: "Of samples of so many rows, 95 % give an interval (Wilson's) that has the true share in it. The tree was chosen to suit its training rows, so it tells how few they are, not how the tree does on new ones.",
  bits: "A bit is the answer to one question with two equally likely answers. Information, and what a split saves or costs, is counted in bits.",
};
const TERMS = { impurity: "Impurity", score: "Score", certificate: "Certificate", candidates: "Candidates", interval: "Interval of a share", bits: "Bits" };

function helpButton(key) {
  const text = html("span", { class: "help", id: `help-${key}`, hidden: true }, HELP[key]);
  const button = html("button", { type: "button", class: "ask", "aria-label": `What is ${TERMS[key].toLowerCase()}?`, "aria-expanded": "false", "aria-controls": text.id }, "?");
  button.addEventListener("click", () => {
    text.hidden = !text.hidden;
    button.setAttribute("aria-expanded", String(!text.hidden));
  });
  return [button, text];
}

const glossary = () => html("dl", { class: "glossary" }, Object.keys(TERMS).flatMap(key => [html("dt", {}, TERMS[key]), html("dd", {}, HELP[key])]));
