// Line charts. Each has its numbers as a table, and a slider that announces them point by point.

import { append, element } from "../dom.js";
import { table } from "./table.js";
import { swatch } from "./tones.js";

/** @import { default as UPlot, Options } from "../vendor/uPlot.esm.js" */
/** @import { Tone } from "./tones.js" */
/**
 * @typedef {object} Named
 * @property {string} name
 * @property {(number | null)[]} values
 * @property {boolean} [quiet] Not in the legend: the edge of a band.
 */
/** @typedef {Named & Tone} Line */
/**
 * @typedef {object} Content
 * @property {string} title
 * @property {string} [note] An explanation for reading it.
 * @property {{ name: string, values: number[], point: (index: number) => string, axis: (value: number) => string }} x
 * @property {{ write: (value: number | null) => string, range?: [number, number], base?: number }} y
 * @property {Line[]} lines
 * @property {[number, number][]} [bands] Pairs of lines, by their positions; the area between them is filled.
 * @property {AbortSignal} signal Aborted when the chart is no longer needed.
 */

const HEIGHT = 320;

/** @param {Content} content */
export function chart(content) {
  const { title, note, x, y, lines, signal } = content;
  const last = x.values.length - 1;
  if (last < 0) {
    return element("p", { class: "empty" }, `${title}: there is nothing to draw yet.`);
  }
  const shown = lines.filter((line) => !line.quiet);
  const values = shown.map(() => element("span", { class: "value" }));
  const legend = shown.map((line, index) =>
    element("li", { "data-tone": line.tone }, swatch(line), line.name, values[index]),
  );
  const at = element("output", { class: "at" });
  const slider = element("input", {
    type: "range",
    min: 0,
    max: last,
    value: last,
    "aria-label": `${title}: ${x.name}`,
  });
  const place = element("div", { class: "plot", "aria-hidden": "true" });

  const read = (/** @type {number} */ index) => {
    slider.value = String(index);
    at.textContent = x.point(index);
    const texts = shown.map((line) => y.write(line.values[index]));
    values.forEach((value, line) => (value.textContent = texts[line]));
    slider.setAttribute(
      "aria-valuetext",
      [x.point(index), ...shown.map(({ name }, i) => `${name} ${texts[i]}`)].join(", "),
    );
  };
  read(last);
  const drawing = draw(place, content, read);
  slider.addEventListener("input", () => {
    read(Number(slider.value));
    drawing.point(Number(slider.value));
  });
  signal.addEventListener("abort", () => drawing.end());

  const numbers = element("details", {}, element("summary", {}, "The numbers as a table"));
  numbers.addEventListener("toggle", () => {
    if (numbers.open && numbers.childElementCount === 1) {
      append(numbers, numbersOf(content, shown));
    }
  });
  return element(
    "figure",
    { class: "chart" },
    element("figcaption", {}, element("strong", {}, title), note && element("span", {}, note)),
    element("ul", { class: "legend" }, legend),
    place,
    element("div", { class: "slider" }, slider, at),
    numbers,
  );
}

/**
 * @param {Content} content
 * @param {Line[]} shown
 */
function numbersOf({ title, x, y }, shown) {
  const columns = [{ head: x.name }, ...shown.map(({ name }) => ({ head: name, number: true }))];
  const rows = x.values.map((_, index) => ({
    id: `${title}-${index}`.replace(/[^A-Za-z0-9]+/g, "-"),
    cells: [x.point(index), ...shown.map((line) => y.write(line.values[index]))],
  }));
  return table({ caption: `${title}, as numbers`, columns, rows });
}

/**
 * Draws once the element has a size, and again when its size or the colours change.
 * @param {HTMLElement} place
 * @param {Content} content
 * @param {(index: number) => void} read
 */
function draw(place, content, read) {
  /** @type {UPlot | null} */
  let plot = null;
  let isPointing = false;
  const make = async () => {
    const { default: UPlot } = await import("../vendor/uPlot.esm.js");
    plot?.destroy();
    place.replaceChildren();
    if (!content.signal.aborted && place.clientWidth > 0) {
      const onPoint = (/** @type {number} */ index) => isPointing || read(index);
      plot = new UPlot(optionsOf(place, content, onPoint), dataOf(content), place);
    }
  };
  const room = new ResizeObserver(() => {
    if (plot) {
      plot.setSize({ width: place.clientWidth, height: HEIGHT });
    } else {
      void make();
    }
  });
  room.observe(place);
  const colours = matchMedia("(prefers-color-scheme: dark)");
  colours.addEventListener("change", make);
  return {
    /** @param {number} index */
    point(index) {
      if (plot) {
        isPointing = true;
        plot.setCursor({ left: plot.valToPos(content.x.values[index], "x"), top: plot.bbox.height / 4 });
        isPointing = false;
      }
    },
    end() {
      room.disconnect();
      colours.removeEventListener("change", make);
      plot?.destroy();
    },
  };
}

/**
 * @param {Content} content
 * @returns {import("../vendor/uPlot.esm.js").AlignedData}
 */
function dataOf({ x, lines }) {
  return [x.values, ...lines.map((line) => line.values)];
}

/**
 * @param {HTMLElement} place
 * @param {Content} content
 * @param {(index: number) => void} onPoint
 * @returns {Options}
 */
function optionsOf(place, { x, y, lines, bands = [] }, onPoint) {
  const style = getComputedStyle(place);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour("muted"),
    grid: { stroke: colour("rule"), width: 1 },
    ticks: { stroke: colour("rule"), width: 1 },
  };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { range: y.range } },
    axes: [
      { ...axis, values: (_, values) => values.map(x.axis) },
      { ...axis, size: 64, values: (_, values) => values.map((value) => y.write(value)) },
    ],
    series: [
      {},
      ...lines.map(({ tone, dash, quiet }) => ({
        stroke: quiet ? "transparent" : colour(`tone-${tone}`),
        width: 2,
        dash,
        spanGaps: true,
        points: { show: false },
      })),
    ],
    bands: bands.map(([high, low]) => ({ series: [high + 1, low + 1], fill: colour("band") })),
    hooks: {
      setCursor: [({ cursor }) => typeof cursor.idx === "number" && onPoint(cursor.idx)],
      drawClear: [(plot) => y.base !== undefined && drawBase(plot, y.base, colour("muted"))],
    },
  };
}

/**
 * Draws a thin horizontal line at the neutral value.
 * @param {UPlot} plot
 * @param {number} base
 * @param {string} colour
 */
function drawBase(plot, base, colour) {
  const [{ ctx, bbox }, top] = [plot, Math.round(plot.valToPos(base, "y", true))];
  if (top < bbox.top || top > bbox.top + bbox.height) {
    return;
  }
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(bbox.left, top);
  ctx.lineTo(bbox.left + bbox.width, top);
  ctx.stroke();
  ctx.restore();
}
