// Four-week curves of models and the market.

import { day, share } from "../format.js";
import { modelName } from "../words.js";
import { chart } from "./chart.js";

/** @import { Answer } from "../api.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}/rolling">} Rolling */
/** @typedef {Record<string, { date: string, day: number, win_pct: number }[]>} Curves */

/**
 * Returns a season's curves by model.
 * @param {Rolling} rolling
 * @param {string | null} season
 */
function curvesOf(rolling, season) {
  return /** @type {Curves} */ (rolling.seasons.find((one) => one.season === season)?.models ?? {});
}

/**
 * Returns the models with curves in a season.
 * @param {Rolling} rolling
 * @param {string | null} season
 */
export function curveModels(rolling, season) {
  return Object.keys(curvesOf(rolling, season));
}

/**
 * @param {Rolling} rolling
 * @param {string | null} season
 * @param {string[]} models
 * @param {string | undefined} current The average is of the seasons before this one.
 * @param {AbortSignal} signal
 */
export function curves(rolling, season, models, current, signal) {
  const points = curvesOf(rolling, season);
  const shown = models.filter((model) => points[model]);
  /** @type {Map<number, string>} */
  const dates = new Map(shown.flatMap((model) => points[model].map((point) => [point.day, point.date])));
  const days = [...dates.keys()].sort((a, b) => a - b);
  const along = (/** @type {{ day: number, win_pct: number }[]} */ curve) => {
    const values = new Map(curve.map((point) => [point.day, point.win_pct]));
    return days.map((at) => values.get(at) ?? null);
  };
  const average = season === current ? rolling.historical_average?.BLEND : undefined;
  const lines = shown.map((model) => ({
    name: modelName(model),
    tone: model.toLowerCase(),
    values: along(points[model]),
    dashed: model === "IMPLIED",
  }));
  if (average) {
    lines.push({ name: "BLEND, mean of earlier seasons", tone: "average", values: along(average), dashed: true });
  }
  return chart({
    title: `Picks won over four weeks, ${season ?? "no season"}`,
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
