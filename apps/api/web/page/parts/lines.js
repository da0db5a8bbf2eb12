// Line charts. Each has its numbers as a table, and a slider that announces them point by point.

import { element } from "../dom.js";
import { interval } from "../format.js";
import { columns, levels } from "./axes.js";
import { figure } from "./figure.js";
import { named } from "./marks.js";
import { placeOn, roundRange, roundValues, svg } from "./svg.js";
import { swatch } from "./tones.js";

/** @import { Address } from "../address.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Call } from "./calls.js" */
/** @import { Tick } from "./svg.js" */
/** @import { Tone } from "./tones.js" */
/** @import { ForecastGames } from "../words.js" */
/**
 * @typedef {object} Named
 * @property {string} name
 * @property {string} [model] The model or the rule of the values, by its code.
 * @property {(number | null)[]} values
 */
/** @typedef {Named & Tone} Line */
/** @typedef {{ name: string, low: (number | null)[], high: (number | null)[] }} Band A range behind the lines. */
/**
 * @typedef {object} Content
 * @property {string} id
 * @property {string} title
 * @property {string} [note] An explanation for reading it.
 * @property {{ name: string, values: number[], point: (index: number) => string, ticks: Tick[] }} x
 * @property {{ write: (value: Maybe) => string, base: number, axis?: (value: number) => string }} y
 * @property {Line[]} lines
 * @property {Band[]} [bands] The widest first.
 * @property {Address} address
 * @property {Call[]} calls
 * @property {ForecastGames} [split]
 */

/** The length of both axes in the coordinates of lines. */
const LENGTH = 1000;

/** @param {Content} content */
export function chart(content) {
  const { id, title, note, x, y, lines, bands = [], address, calls, split } = content;
  const last = x.values.length - 1;
  if (last < 0) {
    return element("p", { class: "empty" }, `${title}: there is nothing to draw yet.`);
  }
  const values = [...lines, ...bands].map(() => element("span", { class: "value" }));
  const legend = [
    ...lines.map((line, index) => [
      element("span", { "data-tone": line.tone }, swatch(line), line.name, values[index]),
    ]),
    ...bands.map((band, index) => [bandSample(index), band.name, values[lines.length + index]]),
  ];
  const at = element("output", { class: "at" });
  const slider = element("input", {
    type: "range",
    min: 0,
    max: last,
    value: last,
    "aria-label": `${title}: ${x.name}`,
  });
  const { plot, point } = plotOf(content);
  const read = (/** @type {number} */ index) => {
    slider.value = String(index);
    at.textContent = x.point(index);
    const texts = [
      ...lines.map((line) => y.write(line.values[index])),
      ...bands.map(({ low, high }) => interval(low[index], high[index], y.write)),
    ];
    values.forEach((value, line) => (value.textContent = texts[line]));
    const spoken = [x.point(index), ...[...lines, ...bands].map(({ name }, line) => `${name} ${texts[line]}`)];
    slider.setAttribute("aria-valuetext", spoken.join(", "));
    point(index);
  };
  read(last);
  slider.addEventListener("input", () => read(Number(slider.value)));
  plot.addEventListener("pointermove", ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    read(nearest(x.values, (clientX - left) / width));
  });
  return figure({
    id,
    title,
    note,
    legend,
    drawing: [element("div", { class: "plot-area" }, plot), element("div", { class: "slider" }, slider, at)],
    numbers: () => numbersOf(content),
    address,
    calls,
    split,
    class: "lines",
  });
}

/**
 * Returns the position of the value that is nearest to a part of the axis.
 * @param {number[]} values
 * @param {number} part
 */
function nearest(values, part) {
  const [first, last] = [values[0], values[values.length - 1]];
  const wanted = first + (last - first) * part;
  let best = 0;
  values.forEach((value, index) => {
    best = Math.abs(value - wanted) < Math.abs(values[best] - wanted) ? index : best;
  });
  return best;
}

/** @param {Content} content */
function numbersOf({ id, title, x, y, lines, bands = [] }) {
  const ends = bands.flatMap(({ name, low, high }) => [
    { name: `${name}, from`, values: low },
    { name: `${name}, to`, values: high },
  ]);
  const series = [...lines, ...ends];
  const heads = [{ head: x.name }, ...series.map(({ name }) => ({ head: name, number: true }))];
  const rows = x.values.map((value, index) => ({
    id: `${id}-${index}`,
    cells: [x.point(index), ...series.map(({ values }) => y.write(values[index]))],
    values: [value, ...series.map(({ values }) => values[index])],
  }));
  return { caption: `${title}, as numbers`, columns: heads, rows };
}

/** @param {Content} content */
function plotOf({ title, x, y, lines, bands = [] }) {
  const drawn = [...lines.map(({ values }) => values), ...bands.flatMap(({ low, high }) => [low, high])];
  const known = drawn.flat().filter((value) => value !== null);
  const range = roundRange([...known, y.base], 5);
  const across = placeOn([x.values[0], x.values[x.values.length - 1]]);
  const up = placeOn(range);
  const down = (/** @type {number} */ value) => Math.round((100 - up(value)) * 1000) / 1000;
  const horizontal = roundValues(range, 5).map((at) => ({ at, text: (y.axis ?? y.write)(at) }));
  const places = x.values.map(across);
  const paths = [
    ...bands.map((band) => bandOf(band, places, down)),
    ...lines.map((line) => pathOf(line, places, down)),
  ];
  const cursor = svg("line", { class: "cursor", y1: 0, y2: "100%" });
  const dots = lines.map((line) =>
    svg("circle", {
      class: "mark",
      r: 4,
      fill: `var(--tone-${line.tone})`,
      ...named({ value: null, model: line.model }),
    }),
  );
  const plot = svg(
    "svg",
    { class: "plot", role: "img", "aria-label": title, overflow: "visible" },
    levels(horizontal, down, y.base),
    columns(x.ticks, across),
    svg(
      "svg",
      { viewBox: `0 0 ${LENGTH} ${LENGTH}`, width: "100%", height: "100%", preserveAspectRatio: "none" },
      paths,
    ),
    cursor,
    dots,
  );
  const point = (/** @type {number} */ index) => {
    const place = `${across(x.values[index])}%`;
    cursor.setAttribute("x1", place);
    cursor.setAttribute("x2", place);
    dots.forEach((dot, line) => {
      const value = lines[line].values[index];
      dot.setAttribute("visibility", value === null ? "hidden" : "visible");
      dot.setAttribute("cx", place);
      dot.setAttribute("cy", value === null ? "0" : `${down(value)}%`);
      dot.setAttribute("data-value", String(value ?? ""));
    });
  };
  return { plot, point };
}

/** Returns a percentage in the coordinates of lines. @param {number} part */
function scaled(part) {
  return Math.round((part / 100) * LENGTH * 10) / 10;
}

/**
 * Fills what is between the known ends of a band.
 * @param {Band} band
 * @param {number[]} places
 * @param {(value: number) => number} down
 */
function bandOf({ low, high }, places, down) {
  const end = (/** @type {(number | null)[]} */ values) =>
    values.flatMap((value, index) => (value === null ? [] : [`${scaled(places[index])} ${scaled(down(value))}`]));
  const points = [...end(high), ...end(low).reverse()];
  return svg("path", {
    class: "band",
    d: points.length > 0 ? `M${points.join("L")}Z` : "",
    "data-low": low.join(" "),
    "data-high": high.join(" "),
  });
}

/** Draws a band for a legend: an inner one is darker, since it is over the others. @param {number} place */
function bandSample(place) {
  const rect = () => svg("rect", { class: "band", width: "100%", height: "100%" });
  const layers = Array.from({ length: place + 1 }, rect);
  return svg("svg", { class: "sample", width: 34, height: 14, "aria-hidden": "true" }, layers);
}

/**
 * Draws a line through the known values.
 * @param {Line} line
 * @param {number[]} places
 * @param {(value: number) => number} down
 */
function pathOf({ values, tone, dash, model }, places, down) {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, place: places[index] }]));
  const points = known.map(({ value, place }) => `${scaled(place)} ${scaled(down(value))}`);
  return svg("path", {
    class: "line",
    d: points.length > 0 ? `M${points.join("L")}` : "",
    stroke: `var(--tone-${tone})`,
    "stroke-dasharray": dash.length > 0 ? dash.join(" ") : null,
    "vector-effect": "non-scaling-stroke",
    ...named({ value: null, model }),
    "data-value": known.map(({ value }) => value).join(" "),
  });
}
