// Rates of models as dots with their intervals, against a break-even and the market.

import { element, part, svg } from "../dom.js";
import { count, counted, interval } from "../format.js";
import { capitalised } from "../words.js";
import { figure } from "./figure.js";
import { mark, named, sample, span, upright } from "./marks.js";
import { rowChart } from "./row-chart.js";
import { placeOn, roundRange, roundValues } from "./svg.js";
import { useLongList } from "./table.js";

/** @import { Address } from "../address.js" */
/** @import { Axis, ChartRow } from "./row-chart.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Models } from "../models.js" */
/** @import { Call } from "./calls.js" */
/** @import { ForecastGames } from "../words.js" */
/**
 * @typedef {object} Rate
 * @property {string} model
 * @property {number} value
 * @property {Maybe} low
 * @property {Maybe} high
 * @property {Maybe} [reference] What the rate has to exceed.
 * @property {number} [games] What the rate is of; its mark is the larger, the more.
 */
/**
 * @typedef {object} Content
 * @property {string} id
 * @property {string} title
 * @property {string} note
 * @property {Rate[]} rates
 * @property {(value: Maybe) => string} write
 * @property {(value: number) => string} axis
 * @property {number} base The neutral value.
 * @property {string} [referenceName]
 * @property {string} [noun] What a rate counts, if not games.
 * @property {Models} league
 * @property {Address} address
 * @property {Call[]} calls
 * @property {ForecastGames} split
 */

/** @param {Content} content */
export function intervals(content) {
  const {
    id,
    title,
    note,
    rates,
    write,
    axis,
    base,
    referenceName,
    noun = "game",
    league,
    address,
    calls,
    split,
  } = content;
  const values = rates.flatMap(({ value, low, high, reference }) => [value, low, high, reference]);
  const range = roundRange([...values.filter((value) => typeof value === "number"), base], 4);
  const place = placeOn(range);
  const market = rates.find(({ model }) => model === "IMPLIED");
  const rows = rates.map((rate) => {
    const { model, value, low, high, reference, games } = rate;
    const tone = league.tone(model);
    const hasInterval = typeof low === "number" && typeof high === "number";
    const marks = [
      market && upright(place(market.value), "compared"),
      hasInterval &&
        span(place(low), place(high), "interval", { "data-model": model, "data-low": low, "data-high": high }),
      typeof reference === "number" && referenceMark(place(reference), { value: reference, model }),
      mark(model === "IMPLIED" ? "book" : "model", place(value), { value, model, games }, tone),
    ];
    const words = hasInterval ? interval(low, high, write) : "";
    return {
      id: `${id}-${model}`,
      name: [league.label(model), games === undefined ? null : element("small", {}, counted(games, noun))],
      marks,
      label: [`${model} ${write(value)}`, words, reference ? `${referenceName} ${write(reference)}` : ""]
        .filter(Boolean)
        .join(", "),
      figures: [element("strong", {}, write(value)), words && element("small", {}, words)],
    };
  });
  return figure({
    id,
    title,
    note,
    legend: [
      [sample("model", { tone: "blend", dash: [] }), "A model, with its 95\u00a0% interval"],
      ...(market ? [[sample("book"), "The market, and its line across all rows"]] : []),
      ...(referenceName ? [[referenceSample(), referenceName]] : []),
    ],
    drawing: [
      part(Shortened, {
        title,
        axis: { range, base, ticks: roundValues(range, 4).map((at) => ({ at, text: axis(at) })) },
        rows,
      }),
    ],
    numbers: () => numbersOf(id, title, rates, write, referenceName, noun),
    address,
    calls,
    split,
    class: "intervals",
  });
}

/** The rows before “Show all”. */
const MOST = 16;

/**
 * A chart that ends after its first rows, with a button that shows all of them.
 * @param {{ title: string, axis: Axis, rows: ChartRow[] }} chart
 */
function Shortened({ title, axis, rows }) {
  const list = useLongList(rows.length, { most: MOST });
  const drawn = rows.map((row, place) => ({ ...row, isHidden: list.isHidden(place) }));
  return element("div", {}, rowChart(title, axis, drawn), list.button);
}

/**
 * Draws what a rate has to exceed: a short upright line.
 * @param {number} place
 * @param {import("./marks.js").Figure} figures
 */
function referenceMark(place, figures) {
  return svg("line", { class: "reference", x1: `${place}%`, x2: `${place}%`, y1: "22%", y2: "78%", ...named(figures) });
}

function referenceSample() {
  const drawn = referenceMark(50, { value: null });
  return svg("svg", { class: "sample", width: 16, height: 16, "aria-hidden": "true" }, drawn);
}

/**
 * @param {string} id
 * @param {string} title
 * @param {Rate[]} rates
 * @param {Content["write"]} write
 * @param {string | undefined} referenceName
 * @param {string} noun
 */
function numbersOf(id, title, rates, write, referenceName, noun) {
  const isCounted = rates.some(({ games }) => games !== undefined);
  const counts = isCounted ? [`${capitalised(noun)}s`] : [];
  const heads = ["Rate", "95\u00a0% from", "to", ...(referenceName ? [referenceName] : []), ...counts];
  const rows = rates.map(({ model, value, low, high, reference, games }) => {
    const figures = [value, low, high, ...(referenceName ? [reference] : [])];
    const of = isCounted ? [games ?? null] : [];
    return {
      id: `${id}-row-${model}`,
      cells: [model, ...figures.map(write), ...of.map(count)],
      values: [model, ...figures, ...of],
    };
  });
  const columns = [{ head: "Model" }, ...heads.map((head) => ({ head, number: true }))];
  return { caption: `${title}, as numbers`, columns, rows };
}
