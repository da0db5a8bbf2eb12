// The summaries of models by picks or bets: return and win rate with their intervals, every figure as a table, and picks by side.

import { element } from "../dom.js";
import { figureIn } from "../forecasts.js";
import { count, gain, interval, roughShare, share, units } from "../format.js";
import { sides } from "../words.js";
import { LEAST, baselineIn, decidedOf, rateOf } from "./headline.js";
import { intervals } from "./intervals.js";
import { printedBaseline, printedRecord } from "./printed-record.js";
import { compare } from "./sorting.js";
import { table } from "./table.js";

/** @import { components } from "openapi" */
/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Of } from "../followed.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Models } from "../models.js" */
/** @import { ForecastGames, Market } from "../words.js" */
/** @import { Column } from "./table.js" */
/** @typedef {Answer<"/api/v1/summary/{sport}/{model_type}">["summaries"][number]} Summary */
/** @typedef {components["schemas"]["FollowedRecord"]} Followed The record of who follows a model. */
/**
 * @typedef {object} Shown The records that a table and its figures show.
 * @property {Address} address
 * @property {Models} league
 * @property {string} season
 * @property {Of} of
 * @property {Summary[]} summaries
 * @property {ForecastGames} split
 */

/**
 * Returns the record of who follows a model. The market has no bets at its own price: its record is that of its favourites.
 * @param {Summary} summary
 * @param {Of} of
 * @returns {Followed}
 */
export function followedOf(summary, of) {
  return summary.model === "IMPLIED" ? summary.picks : summary[of];
}

/**
 * Builds the two figures of every model: what following it returned, and how often it won; the best return first.
 * @param {Shown} shown
 */
export function rates({ address, league, season, of, summaries, split }) {
  const followed = summaries.map((summary) => ({ model: summary.model, record: followedOf(summary, of) }));
  const enough = followed.filter(({ record }) => decidedOf(record) >= LEAST);
  if (enough.length === 0) {
    const most = Math.max(0, ...followed.map(({ record }) => decidedOf(record)));
    const text = `No model has ${LEAST} graded ${of} in ${season} yet, and the most are ${most}: with fewer, a rate shows nothing but luck.`;
    return [element("p", { class: "empty", id: "too-few" }, text)];
  }
  const ordered = enough.toSorted((a, b) => compare(a.record.roi, b.record.roi, true));
  const shared = {
    league,
    address,
    split,
    noun: of === "picks" ? "pick" : "bet",
    calls: [
      {
        template: /** @type {const} */ ("/api/v1/summary/{sport}/{model_type}"),
        path: { sport: address.league, model_type: address.market },
        query: { season },
      },
    ],
  };
  const models = ordered.filter(({ model }) => model !== "IMPLIED").map(({ record }) => record);
  const what = of === "picks" ? "each pick" : "each bet";
  const market = of === "picks" ? "" : " The market's row is its favourite in every game.";
  return [
    element(
      "div",
      { class: "pair" },
      intervals({
        ...shared,
        id: "returns",
        title: returnsFound(models, of),
        note: `Return of one unit on ${what} at its recorded price in ${season}, in percent of the stakes, with its 95\u00a0% interval. Above zero, stakes grew.${market}`,
        rates: ordered.flatMap(({ model, record: { roi: value, roi_low: low, roi_high: high, staked } }) =>
          typeof value === "number" ? [{ model, value, low, high, games: staked }] : [],
        ),
        write: gain,
        axis: (value) => gain(value).replace(/\.0/, ""),
        base: 0,
      }),
      intervals({
        ...shared,
        id: "wins",
        title: winsFound(models, of),
        note: `${of === "picks" ? "Picks" : "Bets"} that won in ${season}, in percent of those that won or lost, with the 95\u00a0% interval. They pay if they win more often than their prices break even.${market}`,
        rates: ordered.flatMap(({ model, record }) => {
          const { wilson_low: low, wilson_high: high, break_even: reference } = record;
          const value = rateOf(record);
          return value === null ? [] : [{ model, value, low, high, reference, games: decidedOf(record) }];
        }),
        write: share,
        axis: roughShare,
        base: 0.5,
        referenceName: "Breaks even",
      }),
    ),
  ];
}

/**
 * States the number of models whose return is above zero with its whole interval.
 * @param {Followed[]} records
 * @param {Of} of
 */
function returnsFound(records, of) {
  const gained = records.filter(({ roi }) => (roi ?? 0) > 0).length;
  const surely = records.filter(({ roi_low: low }) => (low ?? 0) > 0).length;
  return `${capital(of)} of ${ofAll(gained, records.length)} returned more than was staked; ${surely === 0 ? "no interval is" : surely === 1 ? "one interval is" : `${surely} intervals are`} above zero`;
}

/**
 * States the number of models that won more often than they break even.
 * @param {Followed[]} records
 * @param {Of} of
 */
function winsFound(records, of) {
  const isAbove = (/** @type {Maybe} */ value, /** @type {Maybe} */ even) =>
    typeof value === "number" && typeof even === "number" && value > even;
  const above = records.filter((record) => isAbove(rateOf(record), record.break_even)).length;
  const surely = records.filter(({ wilson_low: low, break_even: even }) => isAbove(low, even)).length;
  return `${capital(of)} of ${ofAll(above, records.length)} won more often than they break even, ${surely === 0 ? "none" : surely} with the whole interval`;
}

/** @param {Of} of */
function capital(of) {
  return of === "picks" ? "Picks" : "Bets";
}

/**
 * @param {number} some
 * @param {number} all
 */
function ofAll(some, all) {
  return `${some === 0 ? "none" : count(some)} of ${all === 1 ? "the one model" : `${count(all)} models`}`;
}

/**
 * Formats a figure and, if the API serves one, its interval.
 * @param {string} figure
 * @param {Maybe} low
 * @param {Maybe} high
 * @param {(value: Maybe) => string} [write]
 */
export function withInterval(figure, low, high, write) {
  if (typeof low !== "number" || typeof high !== "number") {
    return figure;
  }
  return element("span", {}, figure, " ", element("small", {}, interval(low, high, write)));
}

/**
 * Returns the columns of the table of summaries.
 * @param {Of} of
 * @returns {Column[]}
 */
function columnsOf(of) {
  const [name, one] = of === "picks" ? ["Picks", "pick"] : ["Bets", "bet"];
  const columns = [
    { head: "Model" },
    { head: name, number: true, hint: `The ${of} that won or lost.` },
    { head: "Record", number: true, hint: "Won, lost and, if there are any, pushed." },
    {
      head: "Book’s favourite",
      number: true,
      hint: `The record of the side that the book favours, over the games in which it and the model have one.`,
    },
    { head: "Won %", number: true, hint: `Of the ${of} that won or lost; small: the 95\u00a0% interval.` },
    {
      head: "Breaks even at",
      number: true,
      hint: `How often ${of} at their recorded prices have to win so that stakes come back.`,
    },
    {
      head: "Return",
      number: true,
      hint: `Of one unit on each ${one} at its recorded price; small: the 95\u00a0% interval.`,
    },
    { head: "Units", number: true, hint: `Won or lost with one unit on each ${one}.` },
  ];
  return of === "picks"
    ? [
        ...columns,
        { head: "Last 4 weeks", number: true },
        { head: "Won % betting against", number: true, hint: "How often the side won that was not picked." },
      ]
    : columns;
}

/** @param {Shown} shown */
export function summaryTable({ league, season, of, summaries }) {
  const rows = summaries
    .filter(({ model }) => of === "picks" || model !== "ENSEMBLE")
    .map((summary) => {
      const record = followedOf(summary, of);
      const { model } = summary;
      const [baseline, rate, decided] = [baselineIn(record), rateOf(record), decidedOf(record)];
      const { wilson_low: low, wilson_high: high, break_even: even, roi, roi_low: from, roi_high: to } = record;
      const ofPicks = of === "picks" ? [summary["win % 4W"], summary["fade %"]] : [];
      return {
        id: `summary-${model}`,
        cells: [
          league.label(model),
          count(decided),
          printedRecord(model, record),
          printedBaseline(baseline),
          withInterval(share(rate), low, high),
          share(even),
          withInterval(gain(roi), from, to, gain),
          units(record.units),
          ...ofPicks.map(share),
        ],
        values: [model, decided, record.won, baseline.won, rate, even, roi, record.units, ...ofPicks],
      };
    });
  const empty = "No model has a graded pick in this season.";
  return table({ caption: `${capital(of)} of every model in ${season}`, columns: columnsOf(of), rows, empty });
}

/**
 * @param {Summary[]} summaries
 * @param {Models} league
 * @param {Market} market
 * @param {string} season
 */
export function sidesTable(summaries, league, market, season) {
  const windows = [
    ["", "season"],
    [" 4W", "4 weeks"],
    [" 1W", "1 week"],
  ];
  const fields = sides(market).flatMap((side) =>
    windows.map(([suffix, words]) => ({ field: `${side} %${suffix}`, head: `${side}, ${words}` })),
  );
  const columns = [{ head: "Model" }, ...fields.map(({ head }) => ({ head, number: true }))];
  const rows = summaries.map((summary) => ({
    id: `sides-${summary.model}`,
    cells: [league.label(summary.model), ...fields.map(({ field }) => share(figureIn(summary, field)))],
    values: [summary.model, ...fields.map(({ field }) => figureIn(summary, field))],
  }));
  return table({
    caption: `How often picks of each side won in ${season}`,
    columns,
    rows,
    empty: "No model has a graded pick in this season.",
  });
}
