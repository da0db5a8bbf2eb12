// The closing-line value of every model's picks: how the market moved after they were taken.

import { getIfThere } from "../api.js";
import { element, section } from "../dom.js";
import { count, gain, interval, points, score, share, units } from "../format.js";
import { clvExclusion } from "../words.js";
import { foldedWhenNarrow } from "./chapters.js";
import { intervals } from "./intervals.js";
import { later } from "./later.js";
import { optionPicker } from "./pickers.js";
import { compare } from "./sorting.js";
import { table } from "./table.js";

/** @import { Answer, Values as Query } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Models } from "../models.js" */
/** @import { Call } from "./calls.js" */
/** @import { Place } from "./later.js" */
/** @import { ForecastGames } from "../words.js" */
/** @typedef {Answer<"/api/v1/clv/{sport}/{model_type}">} Values */
/** @typedef {Values["models"][number]} ModelValues */
/** @typedef {ModelValues["clv_ev"]} Measured */
/**
 * @typedef {object} Measure
 * @property {"clv_ev" | "clv_prob" | "line_clv"} field
 * @property {string} name
 * @property {string} note
 * @property {(value: Maybe) => string} write
 */

const CLV = "/api/v1/clv/{sport}/{model_type}";

/** The least number of picks with a dot: fewer show nothing but luck. */
const LEAST = 30;

/** @type {[string, string][]} */
const TAKEN = [
  ["", "Standing forecast"],
  ["first", "First forecast"],
];

/**
 * The greatest ages of a close, in minutes before the start; without one, the two hours of the API.
 * @type {[string, string][]}
 */
const CLOSES = [
  ["30", "At most 30 min old"],
  ["60", "At most 1 h old"],
  ["", "At most 2 h old"],
  ["360", "At most 6 h old"],
  ["1440", "At most 24 h old"],
];

/** @type {Measure[]} */
const MEASURES = [
  {
    field: "clv_ev",
    name: "Value of the price taken, at the close",
    note: "In percent of the stake: what one unit at the price taken was worth by the book's probability at the close, without its margin. Where nothing moved it is below zero, by the margin.",
    write: gain,
  },
  {
    field: "clv_prob",
    name: "Probability of the side picked, at the close less when taken",
    note: "In points of a hundred: the book's probability without its margin.",
    write: points,
  },
  {
    field: "line_clv",
    name: "Move of the line in favour of the pick",
    note: "In points of the game, of lines that moved and of lines that did not.",
    write: units,
  },
];

/**
 * Builds the section of closing-line values.
 * @param {Place} place
 * @param {Models} league
 * @param {string} season
 */
export function closingLineValues(place, league, season) {
  const { address, signal } = place;
  const { league: sport, market: model_type, options } = address;
  const [taken, close_within] = ["taken", "close_within"].map((name) => options.get(name));
  const query = { season, taken, close_within };
  const ask = () => getIfThere(CLV, { path: { sport, model_type }, query, signal });
  const custom = close_within && !CLOSES.some(([code]) => code === close_within);
  const closes = custom
    ? [...CLOSES, /** @type {[string, string]} */ ([close_within, `At most ${close_within} min old`])]
    : CLOSES;
  return section(
    `Closing-line value, ${season}`,
    element(
      "p",
      { class: "note" },
      "How the prices and lines of the picks compare with the last ones before the start. The measures are of different things and are never added up. Above zero, what was taken was better than what was there at the close, which promises no profit.",
    ),
    element(
      "div",
      { class: "bar" },
      optionPicker(address, "Taken", "taken", TAKEN, taken === "standing" ? "" : (taken ?? "")),
      optionPicker(address, "Close", "close_within", closes, close_within === "120" ? "" : (close_within ?? "")),
    ),
    later(place, ask, (answer) => contentOf(address, league, answer, query)),
  );
}

/**
 * @param {Address} address
 * @param {Models} league
 * @param {Values | null} values
 * @param {Query} query
 * @returns {Child[]}
 */
function contentOf(address, league, values, query) {
  if (!values) {
    return [element("p", { class: "empty" }, "This season has no picks to measure.")];
  }
  const { models, forecast_games: split } = values;
  const leftOut = element("p", { class: "note", id: "clv-left-out" }, leftOutOf(values));
  if (models.every(({ picks, no_pick: none }) => picks + none === 0)) {
    const text = "No game that has started has a forecast that was recorded here.";
    return [element("p", { class: "empty", id: "clv-empty" }, text), leftOut];
  }
  /** @type {Call[]} */
  const calls = [{ template: CLV, path: { sport: address.league, model_type: address.market }, query }];
  const measured = MEASURES.filter(({ field }) => models.some((model) => model[field] !== null));
  return [
    ...measured.flatMap((measure) => [
      drawingOf(address, league, measure, models, { calls, split }),
      models.some((model) => model[measure.field]?.picks) && measureTable(measure, models, league),
    ]),
    exclusionTable(models, league),
    leftOut,
  ];
}

/** Describes the games that are in no measure. @param {Values} values */
function leftOutOf({ not_recorded_here: imported, not_started: coming, not_played: off }) {
  return [
    `Games left out: ${count(imported)} whose live forecast no release of this record made, such as imported ones,`,
    `${count(coming)} that ${coming === 1 ? "has" : "have"} not started,`,
    `and ${count(off)} that ${off === 1 ? "was" : "were"} called off.`,
  ].join(" ");
}

/**
 * Draws the means of a measure with their intervals, the largest first; below the least number of picks, there is a sentence instead.
 * @param {Address} address
 * @param {Models} league
 * @param {Measure} measure
 * @param {ModelValues[]} models
 * @param {{ calls: Call[], split: ForecastGames }} source
 */
function drawingOf(address, league, { field, name, note, write }, models, source) {
  const enough = models.flatMap((model) => {
    const { picks, mean, low, high } = model[field] ?? {};
    return (picks ?? 0) >= LEAST && typeof mean === "number"
      ? [{ model: model.model, value: mean, low, high, games: picks }]
      : [];
  });
  if (enough.length === 0) {
    const most = Math.max(0, ...models.map((model) => model[field]?.picks ?? 0));
    const text = `${name}: no model has ${LEAST} measured picks yet, and the most are ${most}; with fewer, a mean shows nothing but luck.`;
    return element("p", { class: "empty", id: `too-few-${field}` }, text);
  }
  const surely = enough.filter(({ low }) => (low ?? 0) > 0).length;
  const of = enough.length === 1 ? "the one model" : `${count(enough.length)} models`;
  return intervals({
    id: field.replace("_", "-"),
    title: `${name}: above zero with the whole interval for ${surely === 0 ? "none" : count(surely)} of ${of}`,
    note: `${note} Mean of each model's picks, with its 95\u00a0% interval over dates.`,
    rates: enough.toSorted((a, b) => compare(a.value, b.value, true)),
    write,
    axis: (value) => write(value).replace(/\.0+(?!\d)/, ""),
    base: 0,
    noun: "pick",
    league,
    address,
    ...source,
  });
}

/**
 * @param {Measure} measure
 * @param {ModelValues[]} models
 * @param {Models} league
 */
function measureTable({ field, name, write }, models, league) {
  const columns = [
    { head: "Model" },
    { head: "Picks", number: true, brief: true, hint: "The picks that the measure can be taken of." },
    { head: "Mean", number: true, brief: true, hint: "Small: the 95\u00a0% interval over dates, from 30 picks on." },
    { head: "p", number: true, hint: "How likely a mean as far from zero is by luck alone." },
    { head: "Above zero", number: true, hint: "The share of these picks above zero." },
    { head: "Dates", number: true, hint: "The dates of their games; the games of a date count as one." },
  ];
  const rows = models.map((model) => {
    const { picks, mean, low, high, p, positive, dates } = /** @type {Measured} */ (model[field]);
    return {
      id: `${field}-${model.model}`,
      cells: [
        league.label(model.model),
        count(picks),
        element("span", {}, write(mean), " ", low !== null && element("small", {}, interval(low, high, write))),
        score(p),
        share(positive),
        count(dates),
      ],
      values: [model.model, picks, mean, p, positive, dates],
    };
  });
  return foldedWhenNarrow("Every model", table({ caption: `${name}: every model`, columns, rows }));
}

/**
 * Builds the table of the picks of each model, and of those that are left out, by their first reason.
 * @param {ModelValues[]} models
 * @param {Models} league
 */
function exclusionTable(models, league) {
  const reasons = /** @type {(keyof ModelValues["excluded"])[]} */ (Object.keys(models[0].excluded));
  const columns = [
    { head: "Model" },
    { head: "Picks", number: true, hint: "In games that have started, with those that are left out." },
    { head: "No pick", number: true, hint: "Forecasts of exactly one half." },
    ...reasons.map((reason) => ({ head: clvExclusion(reason).head, number: true, hint: clvExclusion(reason).meaning })),
  ];
  const rows = models.map(({ model, picks, no_pick: none, excluded }) => {
    const figures = [picks, none, ...reasons.map((reason) => excluded[reason])];
    return {
      id: `clv-excluded-${model}`,
      cells: [league.label(model), ...figures.map(count)],
      values: [model, ...figures],
    };
  });
  return table({ caption: "Picks, and those left out by their first reason", columns, rows });
}
