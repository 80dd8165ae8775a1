// The heading, the colours, and what happens on clicks.
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
  if (data.units) notes.push(data.units);
  if (samples && samples.length < data.samples.total) {
    notes.push(`${samples.length.toLocaleString("en")} of ${plural(data.samples.total, "row")} are in this page, an even choice from every leaf; histograms count these.`);
  }
  if (samples && !data.samples.labelled) notes.push(`Points have the colours of their predicted ${data.numbers ? "numbers" : "classes"}.`);
  notes.push("Made with cart-elc; this page works offline.");
  byId("footer").textContent = notes.join(" ");
}

function connectTree() {
  byId("mode").addEventListener("click", chooseMode);
  byId("expand").addEventListener("click", () => { state.folded = true; state.collapsed.clear(); fit(true); });
  byId("collapse").addEventListener("click", () => {
    state.folded = true;
    splits.forEach(id => { if (id) state.collapsed.add(id); });
    fit();
    select(0);
  });
  byId("depth").max = DEEPEST;
  byId("depth").addEventListener("change", () => chooseDepth(Math.max(0, Math.min(DEEPEST, Math.round(Number(byId("depth").value))))));
  byId("back").addEventListener("click", () => byId("picture").scrollIntoView({ behavior: motion() }));
  byId("fit").addEventListener("click", () => fit(true));
  byId("zoom-in").addEventListener("click", () => zoom(1.3));
  byId("zoom-out").addEventListener("click", () => zoom(1 / 1.3));
  for (const kind of ["svg", "png"]) byId(`save-${kind}`).addEventListener("click", () => save(kind));
  document.querySelector(".skip").addEventListener("click", event => { event.preventDefault(); focusNode(state.selected); });
}

function connectForm() {
  byId("clear").addEventListener("click", () => { fields.forEach(input => { input.value = ""; }); byId("row").value = ""; trace(); });
  byId("form").addEventListener("submit", event => event.preventDefault());
  const unused = data.features.length - data.used.length;
  byId("form-note").textContent = unused ? `${plural(unused, "feature")} of the data ${unused === 1 ? "is" : "are"} not used by the tree.` : "";
  byId("sample").hidden = data.used.length === 0;
  if (!samples || !samples.length || !data.used.length) return;
  byId("pick").hidden = false;
  byId("row").addEventListener("change", pickTyped);
  byId("previous").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  byId("random").addEventListener("click", () => pickRow(Math.floor(Math.random() * samples.length)));
}

function start() {
  intro();
  setTheme("Auto");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (byId("theme").dataset.choice === "Auto") setTheme("Auto"); });
  byId("theme").addEventListener("click", () => setTheme({ Auto: "Light", Light: "Dark", Dark: "Auto" }[byId("theme").dataset.choice]));
  leafTable();
  aboutModel();
  connectTree();
  connectForm();
  startSearch();
  startMap();
  startPrinting();
  observeSize();
  select(0);
}
start();
