// The track record of models and the market: summary, curves, heat map, reliability, picks by side.

import { get, getIfThere } from "../api.js";
import { element, section } from "../dom.js";
import { count, gain, instant, interval, roughShare, share, units } from "../format.js";
import { STANDARD_MODEL, missingNote, modelsOf, ofModel } from "../models.js";
import { curveModels, curves } from "../parts/curves.js";
import { heatMap } from "../parts/heat-map.js";
import { intervals } from "../parts/intervals.js";
import { modelPicker, modelsPicker, seasonPicker } from "../parts/pickers.js";
import { reliability, scoreTable } from "../parts/reliability.js";
import { compare } from "../parts/sorting.js";
import { leagueStatus } from "../parts/status.js";
import { meanings, table } from "../parts/table.js";
import { POSITIVE_EVENTS, modelName, sides } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Context } from "../main.js" */
/** @import { Models } from "../models.js" */
/** @import { Market } from "../words.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Address } from "../address.js" */
/** @import { Rolling } from "../parts/curves.js" */
/** @import { Calibration } from "../parts/reliability.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}/density">} Density */
/** @typedef {Answer<"/api/v1/summary/{sport}/{model_type}">["summaries"][number] & Record<string, any>} Summary */

export const title = "Track record";
export const picks = { league: true, market: true };
export const needsKey = true;

const CALIBRATION = "/api/v1/calibration/{sport}/{model_type}";

/** @param {Context} context */
export async function show({ address, signal, offer, ofSeason }) {
  const { league: sport, market: model_type, options } = address;
  const path = { sport, model_type };
  const season = options.get("season");
  // A published season that has not begun has no summary yet: both requests are for the season of the summary.
  const summarised = get("/api/v1/summary/{sport}/{model_type}", { path, query: { season }, signal });
  const [status, league, seasons, summary, rolling, answer, calibration] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path, signal }),
    summarised,
    get("/api/v1/results/{sport}/{model_type}/rolling", { path, signal }),
    ofModel(address, (model) =>
      get("/api/v1/results/{sport}/{model_type}/density", { path, query: { model }, signal }),
    ),
    summarised.then((of) => getIfThere(CALIBRATION, { path, query: { season: of.season }, signal })),
  ]);
  const drawn = summary.season;
  const { model = STANDARD_MODEL } = answer;
  const density = { ...answer, model };
  const summaries = /** @type {Summary[]} */ (summary.summaries);
  const described = league.described();
  ofSeason(drawn);
  offer(
    modelPicker(address, league, gradedModels(rolling, calibration), model),
    seasonPicker(address, seasons.seasons, drawn),
  );
  return [
    leagueStatus(status),
    missingNote(address, model),
    section(
      `Summary of ${drawn}`,
      ...rates(address, summaries, league, drawn),
      summaryTable(summaries, league, drawn),
      described.length > 0 && meanings("The publisher's own models", described),
      element("p", { class: "note" }, `As of ${instant(summary.generated_date)}.`),
    ),
    calibration &&
      section(
        `Are the probabilities right? ${drawn}`,
        ...reliability(address, calibration, model, league.tone(model), POSITIVE_EVENTS[model_type]),
        ...calibration.sources.map((source) => scoreTable(source, league)),
      ),
    section(`Four-week curves of ${drawn}`, ...curvesOf(address, league, rolling, drawn, density)),
    section(`${modelName(model)} against the market`, ...heatMaps(address, density)),
    section(`Picks by side in ${drawn}`, sidesTable(summaries, league, model_type, drawn)),
  ];
}

/**
 * Returns the models with a graded forecast in any season of a market.
 * @param {Rolling} rolling
 * @param {Calibration | null} calibration
 */
function gradedModels(rolling, calibration) {
  const picked = rolling.seasons.flatMap(({ models }) => Object.keys(models));
  const scored = calibration?.sources.flatMap(({ models }) => models.map(({ model }) => model)) ?? [];
  return [...picked, ...scored].filter((model) => model !== "IMPLIED");
}

/**
 * Builds the curves of the models that the address names, and of the view's model and the market without such names.
 * @param {Address} address
 * @param {Models} league
 * @param {Rolling} rolling
 * @param {string} season
 * @param {Density} density
 */
function curvesOf(address, league, rolling, season, { model, current }) {
  const all = curveModels(rolling, season);
  const asked = new Set(address.options.get("models")?.split(","));
  const [found, missing] = [
    [...asked].filter((name) => all.includes(name)),
    [...asked].filter((name) => !all.includes(name)),
  ];
  const shown = found.length > 0 ? found : [model, "IMPLIED"].filter((name) => all.includes(name));
  return [
    missing.length > 0 &&
      element("p", { class: "notice", id: "no-curve" }, `There is no curve of ${missing.join(", ")} in ${season}.`),
    modelsPicker(address, league, all, shown),
    curves(address, rolling, season, { league, shown, model }, current.seasons[0]),
  ];
}

/**
 * @param {Address} address
 * @param {Density} density
 */
function heatMaps(address, { model: code, current, previous, bin_width: width }) {
  const model = { name: modelName(code), code };
  return [
    heatMap(address, "grid", "Current season", model, current, width),
    heatMap(address, "grid-before", "Seasons before", model, previous, width),
  ];
}

/** The least number of picks with a dot: fewer show nothing but luck. */
const LEAST = 30;

/**
 * Builds the two figures of every model: how often its picks won, and what they returned; the best return first.
 * @param {Address} address
 * @param {Summary[]} summaries
 * @param {Models} league
 * @param {string} season
 */
function rates(address, summaries, league, season) {
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
function withInterval(figure, low, high, write) {
  if (typeof low !== "number" || typeof high !== "number") {
    return figure;
  }
  return element("span", {}, figure, " ", element("small", {}, interval(low, high, write)));
}

/**
 * @param {Summary[]} summaries
 * @param {Models} league
 * @param {string} season
 */
function summaryTable(summaries, league, season) {
  const columns = [
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
  return table({ caption: `Every model in ${season}`, columns, rows, empty });
}

/**
 * @param {Summary[]} summaries
 * @param {Models} league
 * @param {Market} market
 * @param {string} season
 */
function sidesTable(summaries, league, market, season) {
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
