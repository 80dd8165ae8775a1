// The drawing as a file. The PNG is painted shape by shape, so that the page needs no right to load images.
const KEPT = ["fill", "fill-opacity", "opacity", "stroke", "stroke-width", "stroke-opacity", "font-size", "font-weight", "font-style", "text-anchor"];
const MOST_PIXELS = 8000;
const KEY = { line: 20, swatch: 10, gap: 18 };

function drawnShapes() {
  return [...scene.querySelectorAll("rect, path, text")].map(element => ({ element, style: getComputedStyle(element) }))
    .filter(({ element, style }) => !element.closest(".toggle") && !element.matches(".ring") && style.display !== "none");
}

// What is saved has every box in full, whatever the zoom, and says below it which class has which colour.
function complete(paint) {
  const shed = ["brief", "tiny"].filter(name => canvas.classList.contains(name));
  canvas.classList.remove(...shed);
  const { left, top, width, height } = bounds([...cards.values()]);
  const key = classKey(left, top + height + 14, width);
  scene.append(key.group);
  try {
    return paint({ left: left - 12, top: top - 12, width: Math.max(width, key.width) + 24, height: height + key.height + 34 });
  } finally {
    key.group.remove();
    canvas.classList.add(...shed);
  }
}

function classKey(left, top, room) {
  const group = svg("g", {});
  let [x, y, width] = [0, 0, 0];
  data.classes.forEach((label, code) => {
    const across = KEY.swatch + 6 + textWidth(label, false);
    if (x && x + across > room) [x, y] = [0, y + KEY.line];
    group.append(
      svg("rect", { x: left + x, y: top + y + 4, width: KEY.swatch, height: KEY.swatch, fill: color(code) }),
      svg("text", { x: left + x + KEY.swatch + 6, y: top + y + 13, "font-size": "12px", fill: "var(--ink)" }, label));
    width = Math.max(width, x + across);
    x += across + KEY.gap;
  });
  return { group, width, height: y + KEY.line };
}

function drawingAsSvg({ left, top, width, height }) {
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

function drawingAsPng({ left, top, width, height }) {
  const unit = Math.min(2, MOST_PIXELS / Math.max(width, height));
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [Math.ceil(width * unit), Math.ceil(height * unit)];
  const brush = picture.getContext("2d");
  brush.fillStyle = getComputedStyle(byId("viewport")).backgroundColor;
  brush.fillRect(0, 0, picture.width, picture.height);
  brush.setTransform(unit, 0, 0, unit, -left * unit, -top * unit);
  for (const { element, style } of drawnShapes()) {
    brush.globalAlpha = Number(style.opacity);
    (element.tagName === "text" ? paintText : paintShape)(brush, element, style);
  }
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
  const file = await complete(kind === "svg" ? drawingAsSvg : drawingAsPng);
  const address = URL.createObjectURL(file);
  html("a", { href: address, download: `tree.${kind}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
