// The track record of models and the market: summary, curves, heat map, reliability, picks by side.

import { get, getIfThere } from "../api.js";
import { element, section } from "../dom.js";
import { ofOf } from "../followed.js";
import { instant } from "../format.js";
import { STANDARD_MODEL, missingNote, modelsOf, ofModel, valueNote } from "../models.js";
import { CALIBRATION, horizonOf, probabilities } from "../parts/calibrations.js";
import { card } from "../parts/card.js";
import { chapters } from "../parts/chapters.js";
import { closingLineValues } from "../parts/clv.js";
import { curveModels, curves } from "../parts/curves.js";
import { headline } from "../parts/headline.js";
import { heatMaps } from "../parts/heat-map.js";
import { followSwitch } from "../parts/of-switch.js";
import { modelPicker, modelsPicker, seasonPicker } from "../parts/pickers.js";
import { leagueStatus } from "../parts/status.js";
import { followedOf, rates, sidesTable, summaryTable } from "../parts/summaries.js";
import { meanings } from "../parts/table.js";
import { MARKET_NAMES, modelName } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Context } from "../main.js" */
/** @import { Models } from "../models.js" */
/** @import { Address } from "../address.js" */
/** @import { Rolling } from "../parts/curves.js" */
/** @import { Calibration } from "../parts/reliability.js" */
/** @import { Summary, Shown } from "../parts/summaries.js" */
/** @import { ForecastGames } from "../words.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}/density">} Density */

export const title = "Track record";
export const picks = { league: true, market: true };
export const needsKey = true;
export const follows = true;

/** @param {Context} context */
export async function show(context) {
  const { address, signal, offer, ofSeason, finishedAlone = false } = context;
  const found = await answersOf(address, signal, finishedAlone);
  const { status, league, seasons, summary, rolling, answer, calibration } = found;
  const { season: drawn, forecast_games: split } = summary;
  const of = ofOf(address);
  const { summaries } = summary;
  const graded = gradedModels(rolling, calibration, summaries);
  const asked = address.options.get("model");
  const known = asked && graded.includes(asked) ? asked : league.headlineOf(address.market);
  const { model = STANDARD_MODEL } = answer ?? { model: known };
  const described = league.described();
  const shown = { address, league, season: drawn, of, summaries, split };
  ofSeason(drawn);
  offer(
    modelPicker(address, league, graded, model),
    seasonPicker(address, seasons.seasons, drawn),
    followSwitch(address),
  );
  const summaryPart = section(
    `Summary of ${drawn}`,
    headlineOf(shown, model),
    ...rates(shown),
    element("p", { class: "note" }, `As of ${instant(summary.generated_date)}.`),
  );
  const everyModel = section(
    `Every model in ${drawn}`,
    summaryTable(shown),
    described.length > 0 && meanings("The publisher's own models", described),
  );
  const [curve, grids] =
    rolling && answer ? ofAllSeasons(address, league, { rolling, density: { ...answer, model } }, summary) : [];
  const parts = [
    { id: "summary", name: "Summary", figures: ["returns", "wins"], content: [summaryPart] },
    { id: "models", name: "Every model", figures: [], content: [everyModel] },
    {
      id: "probabilities",
      name: "Probabilities",
      figures: ["reliability", "forecasts"],
      content: [probabilities(context, { league, model, season: drawn }, calibration)],
    },
    { id: "curves", name: "Curves", figures: ["curves"], content: [curve] },
    { id: "market", name: "Against the market", figures: ["grid"], content: [grids] },
    {
      id: "sides",
      name: "By side",
      figures: [],
      content: [section(`Picks by side in ${drawn}`, sidesTable(summaries, league, address.market, drawn))],
    },
    { id: "clv", name: "Closing line", figures: ["clv"], content: [closingLineValues(context, league, drawn)] },
    { id: "share", name: "Share", figures: [], content: [await card(address, model)] },
  ];
  return [leagueStatus(status), missingNote(address, model), answer && valueNote(answer), chapters(address, parts)];
}

/**
 * Builds the figure of the view's model; nothing if it has no record in the season.
 * @param {Shown} shown
 * @param {string} model
 */
function headlineOf({ address, league, of, summaries }, model) {
  const found = summaries.find((summary) => summary.model === model);
  return (
    found &&
    headline({
      id: "headline",
      title: [`${modelName(model)}, ${MARKET_NAMES[address.market].toLowerCase()}`],
      of,
      model,
      league,
      record: followedOf(found, of),
    })
  );
}

/**
 * Builds the sections whose answers are of every season.
 * @param {Address} address
 * @param {Models} league
 * @param {{ rolling: Rolling, density: Density }} answers
 * @param {{ season: string, forecast_games: ForecastGames }} summary
 */
function ofAllSeasons(address, league, { rolling, density }, { season, forecast_games: split }) {
  const model = modelName(density.model ?? STANDARD_MODEL);
  return [
    section(`Four-week curves of ${season}`, ...curvesOf(address, league, rolling, { season, split }, density)),
    section(
      `${model} against the market`,
      heatMaps(address, density, model, (of) => (of === season ? split : undefined)),
    ),
  ];
}

/**
 * Requests what the view displays; without the answers of every season where finished ones alone are open. A calibration at a horizon is not among it: the first one of a season takes long.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @param {boolean} finishedAlone
 */
async function answersOf(address, signal, finishedAlone) {
  const { league: sport, market: model_type, options } = address;
  const path = { sport, model_type };
  // A published season that has not begun has no summary yet: both requests are for the season of the summary.
  const summarised = get("/api/v1/summary/{sport}/{model_type}", {
    path,
    query: { season: options.get("season") },
    signal,
  });
  const calibrated = (/** @type {string} */ season) => getIfThere(CALIBRATION, { path, query: { season }, signal });
  const [status, league, seasons, summary, rolling, answer, calibration] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path, signal }),
    summarised,
    finishedAlone ? null : get("/api/v1/results/{sport}/{model_type}/rolling", { path, signal }),
    finishedAlone
      ? null
      : ofModel(address, (model) =>
          get("/api/v1/results/{sport}/{model_type}/density", { path, query: { model }, signal }),
        ),
    horizonOf(address) === null ? summarised.then(({ season }) => calibrated(season)) : null,
  ]);
  return { status, league, seasons, summary, rolling, answer, calibration };
}

/**
 * Returns the models with a graded forecast in any season of a market; without the curves, in that of the summaries.
 * @param {Rolling | null} rolling
 * @param {Calibration | null} calibration
 * @param {Summary[]} summaries
 */
function gradedModels(rolling, calibration, summaries) {
  const summarised = summaries.map(({ model }) => model).filter((model) => model !== "ENSEMBLE");
  const picked = rolling?.seasons.flatMap(({ models }) => Object.keys(models)) ?? summarised;
  const scored = calibration?.sources.flatMap(({ models }) => models.map(({ model }) => model)) ?? [];
  return [...picked, ...scored].filter((model) => model !== "IMPLIED");
}

/**
 * Builds the curves of the models that the address names, and of the view's model and the market without such names.
 * @param {Address} address
 * @param {Models} league
 * @param {Rolling} rolling
 * @param {{ season: string, split: ForecastGames }} drawn
 * @param {Density} density
 */
function curvesOf(address, league, rolling, { season, split }, { model, current }) {
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
    curves(address, rolling, season, { league, shown, model, split }, current.seasons[0]),
  ];
}
