// The drawing as a file. The PNG is painted shape by shape, so that the page needs no right to load images.
const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "font-size", "font-weight", "font-style", "text-anchor"];
const MOST_PIXELS = 8000;

function drawnShapes() {
  return [...scene.querySelectorAll("rect, path, text")].map(element => ({ element, style: getComputedStyle(element) }))
    .filter(({ element, style }) => !element.closest(".toggle") && !element.matches(".ring") && style.display !== "none");
}

// The outer frame of the drawing, with a little room.
function frameOfDrawing() {
  const { left, top, width, height } = bounds([...cards.values()]);
  return { left: left - 12, top: top - 12, width: width + 24, height: height + 24 };
}

function drawingAsSvg() {
  const { left, top, width, height } = frameOfDrawing();
  const whole = svg("svg", { xmlns: SVG, viewBox: `${left} ${top} ${width} ${height}`, width: Math.ceil(width), height: Math.ceil(height), "font-family": FONT });
  whole.append(svg("title", {}, data.title), svg("rect", { x: left, y: top, width, height, fill: getComputedStyle(byId("viewport")).backgroundColor }));
  for (const { element, style } of drawnShapes()) {
    const copied = element.cloneNode(true);
    for (const name of ["class", "style", "id"]) copied.removeAttribute(name);
    for (const name of KEPT) copied.setAttribute(name, style.getPropertyValue(name));
    whole.append(copied);
  }
  return new Blob([new XMLSerializer().serializeToString(whole)], { type: "image/svg+xml" });
}

function drawingAsPng() {
  const { left, top, width, height } = frameOfDrawing();
  const unit = Math.min(2, MOST_PIXELS / Math.max(width, height));
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [Math.ceil(width * unit), Math.ceil(height * unit)];
  const brush = picture.getContext("2d");
  brush.fillStyle = getComputedStyle(byId("viewport")).backgroundColor;
  brush.fillRect(0, 0, picture.width, picture.height);
  brush.setTransform(unit, 0, 0, unit, -left * unit, -top * unit);
  for (const { element, style } of drawnShapes()) (element.tagName === "text" ? paintText : paintShape)(brush, element, style);
  return new Promise(done => picture.toBlob(done, "image/png"));
}

function paintText(brush, element, style) {
  brush.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${FONT}`;
  brush.textAlign = { start: "left", middle: "center", end: "right" }[style.textAnchor];
  brush.fillStyle = style.fill;
  brush.fillText(element.textContent, Number(element.getAttribute("x")), Number(element.getAttribute("y")));
}

function paintShape(brush, element, style) {
  const path = new Path2D(element.getAttribute("d") || undefined);
  const number = name => Number(element.getAttribute(name));
  if (element.tagName === "rect") path.roundRect(number("x"), number("y"), number("width"), number("height"), number("rx"));
  brush.lineWidth = parseFloat(style.strokeWidth);
  [brush.fillStyle, brush.strokeStyle] = [style.fill, style.stroke];
  if (style.fill !== "none") brush.fill(path);
  if (style.stroke !== "none") brush.stroke(path);
}

async function save(kind) {
  const file = await (kind === "svg" ? drawingAsSvg() : drawingAsPng());
  const address = URL.createObjectURL(file);
  html("a", { href: address, download: `tree.${kind}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
