// Four-week curves of models and the market.

import { element } from "../dom.js";
import { day, roughShare, share } from "../format.js";
import { entryOf } from "../models.js";
import { modelName } from "../words.js";
import { dateOf, dateTicks, dayNumber } from "./dates.js";
import { LEAST, SURE, chart } from "./lines.js";
import { COMPARED } from "./tones.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Models } from "../models.js" */
/** @import { ForecastGames } from "../words.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}/rolling">} Rolling */
/** @typedef {{ date: string, day: number, games: number, win_pct: number }} Point */
/** @typedef {Record<string, Point[]>} Curves */

/** The first day of a season with four weeks behind it; the season begins with day 0. */
const FOUR_WEEKS = 27;

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
 * @param {Address} address
 * @param {Rolling} rolling
 * @param {string} season
 * @param {{ league: Models, shown: string[], model: string, split: ForecastGames }} models The models with a curve, the model of
 *   the average, and the forecasts of the season.
 * @param {string | undefined} current The average is of the seasons before this one.
 */
export function curves(address, rolling, season, { league, shown, model, split }, current) {
  const isWhole = (/** @type {Point} */ { day: at, games }) => at >= FOUR_WEEKS && games >= LEAST;
  const points = curvesOf(rolling, season);
  const drawn = shown.flatMap((name) => points[name].filter(isWhole));
  const days = [...new Set(drawn.map((point) => point.day))].sort((a, b) => a - b);
  if (days.length === 0) {
    const text = `The curves of ${season} start four weeks after its first game, with ${LEAST} picks in four weeks.`;
    return element("p", { class: "empty", id: "too-early" }, text);
  }
  const zero = dayNumber(drawn[0].date) - drawn[0].day;
  /**
   * Returns a field of a curve's points by the days of the axis.
   * @template {{ day: number }} P
   * @param {P[]} curve
   * @param {(point: P) => number} field
   */
  const along = (curve, field) => {
    const values = new Map(curve.map((point) => [point.day, field(point)]));
    return days.map((at) => values.get(at) ?? null);
  };
  const average = season === current ? entryOf(rolling.historical_average, model) : undefined;
  /** @type {import("./lines.js").Line[]} */
  const lines = shown.map((name) => ({
    name: modelName(name),
    model: name,
    ...league.tone(name),
    values: along(points[name], ({ win_pct: won }) => won),
    games: along(points[name], ({ games }) => games),
  }));
  if (average) {
    const name = `${modelName(model)}, mean of earlier seasons`;
    lines.push({ name, model, tone: "average", dash: COMPARED, values: along(average, ({ win_pct: won }) => won) });
  }
  return chart({
    id: "curves",
    title: finding(model, shown, points, isWhole),
    note: `Percent of the picks that won over four weeks, ${season}. Each point covers 28 days: those of ${LEAST} to ${SURE - 1} picks are pale, and those of fewer left out. The stronger line is one half; at −110 a bet breaks even at 52.4\u00a0%.`,
    x: {
      name: "Date",
      values: days,
      point: (index) => day(dateOf(days[index] + zero)),
      written: (index) => dateOf(days[index] + zero),
      ticks: dateTicks(days[0], days[days.length - 1], zero),
    },
    y: { write: share, base: 0.5, axis: roughShare },
    lines,
    address,
    split,
    calls: [
      {
        template: "/api/v1/results/{sport}/{model_type}/rolling",
        path: { sport: address.league, model_type: address.market },
        query: { models: shown.join(",") },
      },
    ],
  });
}

/**
 * States the newest rate of the view's model, or of the first curve, and that of the book's favourite.
 * @param {string} model
 * @param {string[]} shown
 * @param {Curves} points
 * @param {(point: Point) => boolean} isWhole
 */
function finding(model, shown, points, isWhole) {
  const newest = (/** @type {string | undefined} */ name) =>
    name ? (points[name] ?? []).findLast(isWhole) : undefined;
  const told = [model, ...shown].find((name) => shown.includes(name) && newest(name));
  const [last, market] = [newest(told), told === "IMPLIED" ? undefined : newest("IMPLIED")];
  if (!told || !last) {
    return "Picks won over four weeks";
  }
  const same = market?.date === last.date && `; ${share(market.win_pct)} of the book’s favourites`;
  return `${share(last.win_pct)} of ${modelName(told)}'s picks won in the four weeks up to ${day(last.date)}${same || ""}`;
}
