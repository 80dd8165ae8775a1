// Copying texts, also where the page has no right to the clipboard.
function copyButton(text, label) {
  const button = html("button", { type: "button", class: "quiet", "aria-label": label, title: label }, "Copy");
  button.addEventListener("click", async event => {
    event.stopPropagation();
    tellCopied(button, await copy(typeof text === "function" ? text() : text), "Copy");
  });
  return button;
}

function tellCopied(button, done, word) {
  button.textContent = done ? "Copied" : "No access";
  setTimeout(() => { button.textContent = word; }, 1500);
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
