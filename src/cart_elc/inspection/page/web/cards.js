// What is written in a box, in lines that fit.
const PAD = 12, LINE = 18, BAR = 8, TEXT = 13, SHORTEST = 200, LONGEST = 260;
const pen = document.createElement("canvas").getContext("2d");
const FONT = getComputedStyle(document.body).fontFamily;
const widths = new Map();

function textWidth(text, bold) {
  const key = bold ? `b${text}` : text;
  if (!widths.has(key)) {
    pen.font = `${bold ? "650 " : ""}${TEXT}px ${FONT}`;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

function cut(text, width, bold) {
  if (textWidth(text, bold) <= width) return text;
  let end = Math.min(text.length, Math.ceil((1.5 * text.length * width) / textWidth(text, bold)));
  while (end > 1 && textWidth(`${text.slice(0, end)}…`, bold) > width) end--;
  return `${text.slice(0, end)}…`;
}

// Text in a drawing that has only so much room; what is cut can be read by pointing at it.
function fittingText(attributes, text, room) {
  const shown = cut(text, room);
  return svg("text", attributes, shown, shown === text ? null : svg("title", {}, text));
}

// Lines are broken between parts; a part that is longer than a line stands alone and is cut at `most`.
function wrap(parts, width, most, bold) {
  const lines = [""];
  for (const part of parts) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${part}` : part;
    if (lines[lines.length - 1] && textWidth(longer, bold) > width) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines.map(line => cut(line, most, bold));
}

function card(id, form) {
  const [room, least] = form.outline ? [form.room - 26, form.room] : [form.room, Math.max(form.room, SHORTEST)];
  const title = isLeaf(id) ? [cut(outputOf(id), least, true)] : wrap(mainParts(id), room, form.outline ? room : least);
  const bold = state.lit !== null;
  const lines = [...wrap(captionParts(id), form.room, form.outline ? form.room : LONGEST, bold).map(line => line.replace(/ ·$/, "")), ...hiddenBelow(id)];
  const width = Math.max(110, ...title.map(line => textWidth(line, isLeaf(id))), ...lines.map(text => textWidth(text, bold))) + 2 * PAD;
  // At the right side of a box there may be the circle that folds it.
  const aside = form.way !== "down" && !isLeaf(id) ? 14 : 0;
  return { id, title, captions: lines, width: width + aside, height: (title.length + lines.length) * LINE + BAR + 2 * PAD + 4 };
}
