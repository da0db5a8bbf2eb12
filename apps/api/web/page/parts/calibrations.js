// The calibration of the probabilities of a season: of every forecast, or of those that were served some time before play.

import { getIfThere } from "../api.js";
import { element, section } from "../dom.js";
import { counted } from "../format.js";
import { POSITIVE_EVENTS, scoredForecasts } from "../words.js";
import { foldedWhenNarrow } from "./chapters.js";
import { later } from "./later.js";
import { optionPicker } from "./pickers.js";
import { reliability } from "./reliability.js";
import { scoreTable } from "./scores.js";

/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Models } from "../models.js" */
/** @import { Place } from "./later.js" */
/** @import { Calibration, Source } from "./reliability.js" */
/** @typedef {{ league: Models, model: string, season: string }} Shown */

export const CALIBRATION = "/api/v1/calibration/{sport}/{model_type}";

/**
 * The horizons, by their codes; without one every forecast counts.
 * @type {[string, string][]}
 */
const HORIZONS = [
  ["", "Every forecast"],
  ["first", "First forecast"],
  ["24h", "24 h before play"],
  ["6h", "6 h before play"],
  ["1h", "1 h before play"],
  ["standing", "Standing forecast"],
];

/** Returns the horizon that the address names, if it names one. @param {Address} address */
export function horizonOf({ options }) {
  return options.get("horizon");
}

/**
 * Builds the section with the diagrams of a model and the scores of all; null for a season without forecasts.
 * @param {Place} place
 * @param {Shown} shown
 * @param {Calibration | null} calibration That of every forecast, if the address names no horizon.
 */
export function probabilities(place, shown, calibration) {
  const { address, signal } = place;
  const { league: sport, market: model_type } = address;
  const horizon = horizonOf(address);
  if (horizon === null && !calibration) {
    return null;
  }
  const ask = () =>
    getIfThere(CALIBRATION, { path: { sport, model_type }, query: { season: shown.season, horizon }, signal });
  return section(
    `Are the probabilities right? ${shown.season}`,
    optionPicker(address, "Horizon", "horizon", HORIZONS, horizon ?? ""),
    ...(calibration
      ? contentOf(address, shown, calibration)
      : [later(place, ask, (answer) => contentOf(address, shown, answer))]),
  );
}

/**
 * @param {Address} address
 * @param {Shown} shown
 * @param {Calibration | null} calibration
 * @returns {Child[]}
 */
function contentOf(address, { league, model }, calibration) {
  if (!calibration || calibration.sources.length === 0) {
    return [element("p", { class: "empty" }, "The season has no such forecasts to score.")];
  }
  const event = POSITIVE_EVENTS[address.market];
  return [
    ...reliability(address, calibration, model, league.tone(model), event),
    ...calibration.sources.flatMap((source) => [
      ...notesOf(source, model),
      foldedWhenNarrow(`Scores of every model: forecasts ${scoredForecasts(source)}`, scoreTable(source, league)),
    ]),
  ];
}

/**
 * Describes the forecasts of a horizon, and the games that it leaves out.
 * @param {Source} source
 * @param {string} model
 */
function notesOf({ horizon, not_recorded_here: imported, models }, model) {
  if (horizon === undefined) {
    return [];
  }
  const missing = models.find((one) => one.model === model)?.no_forecast_then;
  const sentences = [
    "Live forecasts alone, each judged by the line that was served with it.",
    missing !== undefined && `${model} had no forecast then of ${counted(missing, "game")}.`,
    imported !== undefined &&
      `Left out, since no release of this record made the forecast, as with imported ones: ${counted(imported, "game")}.`,
  ];
  return [element("p", { class: "note", id: "at-horizon" }, sentences.filter(Boolean).join(" "))];
}
