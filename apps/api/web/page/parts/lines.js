// Line charts. Each has its numbers as a table, and a slider that announces them point by point.

import { leastIndex } from "d3-array";
import { element, svg } from "../dom.js";
import { count, interval } from "../format.js";
import { columns, levels } from "./axes.js";
import { figure } from "./figure.js";
import { named, readAt } from "./marks.js";
import { plotSlider } from "./plot-slider.js";
import { placeOn, roundRange, roundValues } from "./svg.js";
import { swatch } from "./tones.js";

/** @import { Address } from "../address.js" */
/** @import { Part } from "../dom.js" */
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
 * @property {(number | null)[]} [games] The games of each value: of fewer than 60 it is pale, of fewer than 30 not drawn.
 * @property {boolean} [isHeld] True if a value lasts until the next one, as a total does.
 */
/** @typedef {Named & Tone} Line */
/** @typedef {{ name: string, low: (number | null)[], high: (number | null)[] }} Band A range behind the lines. */
/**
 * @typedef {object} XAxis
 * @property {string} name
 * @property {number[]} values
 * @property {(index: number) => string} point The text of a value.
 * @property {(index: number) => string | number} [written] The value in a file: a date rather than its number.
 * @property {Tick[]} ticks
 */
/**
 * @typedef {object} Content
 * @property {string} id
 * @property {string} title
 * @property {string} [note] An explanation for reading it.
 * @property {XAxis} x
 * @property {{ write: (value: Maybe) => string, base: number, axis?: (value: number) => string }} y
 * @property {Line[]} lines
 * @property {Band[]} [bands] The widest first.
 * @property {Address} address
 * @property {Call[]} calls
 * @property {ForecastGames} [split]
 * @property {string} [of] What it counts, for its picture.
 */

/** The least number of games of a drawn value, and that of one which is not pale. */
export const [LEAST, SURE] = [30, 60];

/** The length of both axes in the coordinates of lines. */
const LENGTH = 1000;

/** @param {Content} content */
export function chart(content) {
  const { id, title, note, x, y, lines, bands = [], address, calls, split, of } = content;
  const last = x.values.length - 1;
  if (last < 0) {
    return element("p", { class: "empty" }, `${title}: there is nothing to draw yet.`);
  }
  const textsAt = (/** @type {number} */ index) => [
    ...lines.map((line) => y.write(valueAt(line, index))),
    ...bands.map(({ low, high }) => interval(low[index], high[index], y.write)),
  ];
  const plot = plotOf(content);
  const legendAt = (/** @type {number} */ index) => {
    const values = textsAt(index).map((text) => element("span", { class: "value" }, text));
    return [
      ...lines.map((line, place) => [
        element("span", { "data-tone": line.tone }, swatch(line), line.name, values[place]),
      ]),
      ...bands.map((band, place) => [bandSample(place), band.name, values[lines.length + place]]),
    ];
  };
  return plotSlider({
    name: `${title}: ${x.name}`,
    last,
    at: last,
    pointAt: (part) => nearest(x.values, part),
    placeAt: x.point,
    spoken: (index) => {
      const texts = textsAt(index);
      return [x.point(index), ...[...lines, ...bands].map(({ name }, line) => `${name} ${texts[line]}`)].join(", ");
    },
    draw: (index, onPlot, slider) =>
      figure({
        id,
        title,
        note,
        legend: legendAt(index),
        drawing: [element("div", { class: "plot-area" }, plot(index, onPlot)), slider],
        numbers: () => numbersOf(content),
        address,
        calls,
        split,
        of,
        class: "lines",
      }),
  });
}

/**
 * Returns the value of a line at a point that is drawn there; null for none.
 * @param {Line} line
 * @param {number} index
 */
function valueAt({ values, games, isHeld = false }, index) {
  const found = isHeld ? values.slice(0, index + 1).findLast((value) => value !== null) : values[index];
  return games && (games[index] ?? LEAST) < LEAST ? null : (found ?? null);
}

/** Returns whether a value is of so few games that it is pale. @param {Line} line @param {number} index */
function isFaded({ games }, index) {
  return games !== undefined && (games[index] ?? SURE) < SURE;
}

/**
 * Returns the position of the value that is nearest to a part of the axis.
 * @param {number[]} values
 * @param {number} part
 */
function nearest(values, part) {
  const [first, last] = [values[0], values[values.length - 1]];
  const wanted = first + (last - first) * part;
  return leastIndex(values, (a, b) => Math.abs(a - wanted) - Math.abs(b - wanted)) ?? 0;
}

/** @param {Content} content */
function numbersOf({ id, title, x, y, lines, bands = [] }) {
  const ends = bands.flatMap(({ name, low, high }) => [
    { name: `${name}, from`, values: low },
    { name: `${name}, to`, values: high },
  ]);
  const counts = lines.flatMap(({ name, games }) =>
    games ? [{ name: `${name}, games`, values: games, isCount: true }] : [],
  );
  const series = [...lines.map(({ name, values }) => ({ name, values })), ...ends, ...counts].map((one) => ({
    write: "isCount" in one ? count : y.write,
    ...one,
  }));
  const heads = [{ head: x.name }, ...series.map(({ name }) => ({ head: name, number: true }))];
  const rows = x.values.map((value, index) => ({
    id: `${id}-${index}`,
    cells: [x.point(index), ...series.map(({ values, write }) => write(values[index]))],
    values: [x.written?.(index) ?? value, ...series.map(({ values }) => values[index])],
  }));
  return { caption: `${title}, as numbers`, columns: heads, rows };
}

/**
 * Returns how the plot is drawn with a point marked: its lines are the same at every point.
 * @param {Content} content
 */
function plotOf({ title, x, y, lines, bands = [] }) {
  const values = [
    ...lines.map((line) => x.values.map((_, index) => valueAt(line, index))),
    ...bands.flatMap(({ low, high }) => [low, high]),
  ];
  const known = values.flat().filter((value) => value !== null);
  const range = roundRange([...known, y.base], 5);
  const across = placeOn([x.values[0], x.values[x.values.length - 1]]);
  const up = placeOn(range);
  const down = (/** @type {number} */ value) => Math.round((100 - up(value)) * 1000) / 1000;
  const horizontal = roundValues(range, 5).map((at) => ({ at, text: (y.axis ?? y.write)(at) }));
  const places = x.values.map(across);
  const paths = [
    ...bands.map((band) => bandOf(band, places, down)),
    ...lines.flatMap((line) => pathsOf(line, places, down)),
  ];
  const drawn = svg(
    "svg",
    { viewBox: `0 0 ${LENGTH} ${LENGTH}`, width: "100%", height: "100%", preserveAspectRatio: "none" },
    paths,
  );
  const dot = (/** @type {Line} */ line, /** @type {number} */ index) => {
    const games = line.games?.[index];
    const data = games !== undefined && { "data-games": String(games ?? ""), "data-faded": isFaded(line, index) };
    return { tone: line, figure: { value: valueAt(line, index), model: line.model }, data: data || {} };
  };
  /** @type {(index: number, onPlot: Record<string, (event: any) => void>) => Part} */
  return (index, onPlot) =>
    svg(
      "svg",
      { class: "plot", role: "img", "aria-label": title, overflow: "visible", on: onPlot },
      levels(horizontal, down, y.base),
      columns(x.ticks, across),
      drawn,
      readAt(
        across(x.values[index]),
        down,
        lines.map((line) => dot(line, index)),
      ),
    );
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
 * Draws a line through the known values, and its pale parts.
 * @param {Line} line
 * @param {number[]} places
 * @param {(value: number) => number} down
 */
function pathsOf(line, places, down) {
  const { tone, dash, model } = line;
  const points = line.values.flatMap((known, index) => {
    const value = known === null ? null : valueAt(line, index);
    const place = value === null ? "" : `${scaled(places[index])} ${scaled(down(value))}`;
    return value === null ? [] : [{ value, place, games: line.games?.[index], isPale: isFaded(line, index) }];
  });
  const path = (/** @type {boolean} */ isPale) => {
    const own = points.filter((point) => point.isPale === isPale);
    // A part between two points is pale if one of them is.
    const parts = points.slice(1).map((to, index) => ({ from: points[index], to }));
    const drawn = parts.filter(({ from, to }) => (from.isPale || to.isPale) === isPale);
    const steps = drawn.map(({ from, to }, index) =>
      drawn[index - 1]?.to === from ? `L${to.place}` : `M${from.place}L${to.place}`,
    );
    return svg("path", {
      class: "line",
      d: steps.join("") || own.map(({ place }) => `M${place}`)[0] || "",
      stroke: `var(--tone-${tone})`,
      "stroke-dasharray": dash.length > 0 ? dash.join(" ") : null,
      "vector-effect": "non-scaling-stroke",
      ...named({ value: null, model }),
      "data-value": own.map(({ value }) => value).join(" "),
      "data-games": line.games && own.map(({ games }) => games).join(" "),
      "data-faded": isPale ? "" : null,
    });
  };
  return points.some(({ isPale }) => isPale) ? [path(false), path(true)] : [path(false)];
}
