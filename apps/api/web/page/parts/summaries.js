// The summaries of models: return and win rate with their intervals, every figure as a table, and picks by side.

import { element } from "../dom.js";
import { count, gain, interval, roughShare, share, units } from "../format.js";
import { sides } from "../words.js";
import { intervals } from "./intervals.js";
import { compare } from "./sorting.js";
import { table } from "./table.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Models } from "../models.js" */
/** @import { ForecastGames, Market } from "../words.js" */
/** @typedef {Answer<"/api/v1/summary/{sport}/{model_type}">["summaries"][number] & Record<string, any>} Summary */

/** The least number of picks with a dot: fewer show nothing but luck. */
const LEAST = 30;

/**
 * Builds the two figures of every model: how often its picks won, and what they returned; the best return first.
 * @param {Address} address
 * @param {Summary[]} summaries
 * @param {Models} league
 * @param {string} season
 * @param {ForecastGames} split
 */
export function rates(address, summaries, league, season, split) {
  const enough = summaries.filter(({ total_games: games }) => games >= LEAST);
  if (enough.length === 0) {
    const most = Math.max(0, ...summaries.map(({ total_games: games }) => games));
    const text = `No model has ${LEAST} graded picks in ${season} yet, and the most are ${most}: with fewer, a rate shows nothing but luck.`;
    return [element("p", { class: "empty", id: "too-few" }, text)];
  }
  const ordered = enough.toSorted((a, b) => compare(a["ev roi"], b["ev roi"], true));
  const shared = {
    league,
    address,
    split,
    calls: [
      {
        template: /** @type {const} */ ("/api/v1/summary/{sport}/{model_type}"),
        path: { sport: address.league, model_type: address.market },
        query: { season },
      },
    ],
  };
  return [
    element(
      "div",
      { class: "pair" },
      intervals({
        ...shared,
        id: "returns",
        title: `Return of one unit in every game, ${season}`,
        note: "On the side of higher expected value, at recorded prices, in percent of the stakes. Above zero, stakes grew.",
        rates: ordered.flatMap(({ model, "ev roi": value, "ev roi low": low, "ev roi high": high }) =>
          typeof value === "number" ? [{ model, value, low, high }] : [],
        ),
        write: gain,
        axis: (value) => gain(value).replace(/\.0/, ""),
        base: 0,
      }),
      intervals({
        ...shared,
        id: "wins",
        title: `Picks that won, ${season}`,
        note: "In percent of the picks that won or lost. A pick pays if it wins more often than its prices break even.",
        rates: ordered.map(({ model, "win %": value, wilson_low: low, wilson_high: high, break_even: reference }) => ({
          model,
          value,
          low,
          high,
          reference,
        })),
        write: share,
        axis: roughShare,
        base: 0.5,
        referenceName: "Breaks even",
      }),
    ),
  ];
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

/** The columns of the table of summaries. */
const COLUMNS = [
  { head: "Model" },
  { head: "Picks", number: true },
  { head: "Won", number: true },
  { head: "Lost", number: true },
  { head: "Won %", number: true, hint: "Of the picks that won or lost; small: the 95\u00a0% interval." },
  {
    head: "Breaks even at",
    number: true,
    hint: "How often picks at their recorded prices have to win so that stakes come back.",
  },
  { head: "Last 4 weeks", number: true },
  { head: "Won % betting against", number: true, hint: "How often the side won that was not picked." },
  {
    head: "Return per game",
    number: true,
    hint: "Of one unit on the side of higher expected value in every game; small: the 95\u00a0% interval.",
  },
  { head: "Bets with positive EV", number: true, hint: "Games in which a side had a positive expected value." },
  { head: "Units on those bets", number: true, hint: "Won or lost with one unit on each." },
];

/**
 * @param {Summary[]} summaries
 * @param {Models} league
 * @param {string} season
 */
export function summaryTable(summaries, league, season) {
  const rows = summaries.map((summary) => ({
    id: `summary-${summary.model}`,
    cells: [
      league.label(summary.model),
      count(summary.total_games),
      count(summary.wins),
      count(summary.losses),
      withInterval(share(summary["win %"]), summary.wilson_low, summary.wilson_high),
      share(summary.break_even),
      share(summary["win % 4W"]),
      share(summary["fade %"]),
      withInterval(gain(summary["ev roi"]), summary["ev roi low"], summary["ev roi high"], gain),
      count(summary["bt bets"]),
      units(summary["bt units"]),
    ],
    values: [
      summary.model,
      summary.total_games,
      summary.wins,
      summary.losses,
      summary["win %"],
      summary.break_even,
      summary["win % 4W"],
      summary["fade %"],
      summary["ev roi"],
      summary["bt bets"],
      summary["bt units"],
    ],
  }));
  const empty = "No model has a graded pick in this season.";
  return table({ caption: `Every model in ${season}`, columns: COLUMNS, rows, empty });
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
    cells: [league.label(summary.model), ...fields.map(({ field }) => share(summary[field]))],
    values: [summary.model, ...fields.map(({ field }) => summary[field])],
  }));
  return table({
    caption: `How often picks of each side won in ${season}`,
    columns,
    rows,
    empty: "No model has a graded pick in this season.",
  });
}
