// Shapes tell classes apart without colour.
const corners = (n, r, turn = 0, inner = null) => Array.from({ length: inner ? 2 * n : n }, (_, i) => {
  const [size, angle] = [inner && i % 2 ? inner : r, turn + (i * 2 * Math.PI) / (inner ? 2 * n : n) - Math.PI / 2];
  return `${i ? "L" : "M"}${(size * Math.cos(angle)).toFixed(2)} ${(size * Math.sin(angle)).toFixed(2)}`;
}).join("") + "Z";
const SHAPES = [
  r => `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`,
  r => `M${-r * 0.88} ${-r * 0.88}H${r * 0.88}V${r * 0.88}H${-r * 0.88}Z`,
  r => `M0 ${-r * 1.25}L${r * 1.25} 0L0 ${r * 1.25}L${-r * 1.25} 0Z`,
  r => `M0 ${-r * 1.2}L${r * 1.1} ${r * 0.85}H${-r * 1.1}Z`,
  r => `M0 ${r * 1.2}L${r * 1.1} ${-r * 0.85}H${-r * 1.1}Z`,
  r => `M${-r * 0.4} ${-r * 1.15}H${r * 0.4}V${-r * 0.4}H${r * 1.15}V${r * 0.4}H${r * 0.4}V${r * 1.15}H${-r * 0.4}V${r * 0.4}H${-r * 1.15}V${-r * 0.4}H${-r * 0.4}Z`,
  r => corners(5, 1.35 * r, 0, 0.58 * r),
  r => corners(4, 1.35 * r, Math.PI / 4, 0.45 * r),
  r => corners(3, 1.25 * r, -Math.PI / 2),
  r => corners(3, 1.25 * r, Math.PI / 2),
  r => corners(5, 1.15 * r),
  r => corners(6, 1.15 * r),
];
const shape = (code, r) => SHAPES[code % SHAPES.length](r);
const color = code => `var(--class-${code})`;  // set with the theme
const chip = code => svg("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" },
  svg("path", { class: "chip", d: shape(code, 5.2), style: `--class:${color(code)}` }));
const labelled = (code, text) => html("span", { class: "class" }, chip(code), html("span", {}, text));
const classLabel = code => labelled(code, data.classes[code]);
