// Four-week curves of models and the market.

import { day, share } from "../format.js";
import { entryOf } from "../models.js";
import { modelName } from "../words.js";
import { chart } from "./chart.js";
import { COMPARED } from "./tones.js";

/** @import { Answer } from "../api.js" */
/** @import { Models } from "../models.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}/rolling">} Rolling */
/** @typedef {Record<string, { date: string, day: number, win_pct: number }[]>} Curves */

/**
 * Returns a season's curves by model.
 * @param {Rolling} rolling
 * @param {string} season
 */
function curvesOf(rolling, season) {
  return /** @type {Curves} */ (rolling.seasons.find((one) => one.season === season)?.models ?? {});
}

/**
 * Returns the models with curves in a season.
 * @param {Rolling} rolling
 * @param {string} season
 */
export function curveModels(rolling, season) {
  return Object.keys(curvesOf(rolling, season));
}

/**
 * @param {Rolling} rolling
 * @param {string} season
 * @param {{ league: Models, shown: string[], model: string }} models The models with a curve, and the model of the
 *   average.
 * @param {string | undefined} current The average is of the seasons before this one.
 * @param {AbortSignal} signal
 */
export function curves(rolling, season, { league, shown, model }, current, signal) {
  const points = curvesOf(rolling, season);
  /** @type {Map<number, string>} */
  const dates = new Map(shown.flatMap((model) => points[model].map((point) => [point.day, point.date])));
  const days = [...dates.keys()].sort((a, b) => a - b);
  const along = (/** @type {{ day: number, win_pct: number }[]} */ curve) => {
    const values = new Map(curve.map((point) => [point.day, point.win_pct]));
    return days.map((at) => values.get(at) ?? null);
  };
  const average = season === current ? entryOf(rolling.historical_average, model) : undefined;
  const lines = shown.map((name) => ({ name: modelName(name), ...league.tone(name), values: along(points[name]) }));
  if (average) {
    const name = `${modelName(model)}, mean of earlier seasons`;
    lines.push({ name, tone: "average", dash: COMPARED, values: along(average) });
  }
  return chart({
    title: `Picks won over four weeks, ${season}`,
    note: "Each point covers 28 days. The thin line is one half; at −110 a bet breaks even at 52.4\u00a0%.",
    x: {
      name: "Day",
      values: days,
      point: (index) => day(dates.get(days[index]) ?? ""),
      axis: (value) => `day ${value}`,
    },
    y: { write: share, base: 0.5 },
    lines,
    signal,
  });
}
