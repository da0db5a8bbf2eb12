// The season as a strip of weeks: at the end of each, how often a model's picks had won over four weeks, and the book's favourite.

import { element, svg } from "../dom.js";
import { counted, day, roughShare, share, shortDay } from "../format.js";
import { modelName } from "../words.js";
import { dateOf, dayNumber } from "./dates.js";
import { figure } from "./figure.js";
import { rowChart } from "./row-chart.js";

/** @import { Address } from "../address.js" */
/** @import { Models } from "../models.js" */
/** @import { Rolling } from "./curves.js" */
/** @typedef {{ date: string, day: number, games: number, win_pct: number }} Point */
/** @typedef {{ from: number, model: Point | null, market: Point | null }} Week A week by its first day, and the last point of each curve in it. */

/** The least number of games of a box, and the least of one that is not pale. */
const [LEAST, ENOUGH] = [30, 60];

/** The days between the first Monday of the count of days and its beginning. */
const MONDAY = 4;

/**
 * Returns the weeks of a season with a graded pick, and those between them.
 * @param {Rolling} rolling
 * @param {string} season
 * @param {string} model
 * @returns {Week[]}
 */
function weeksOf(rolling, season, model) {
  const curves = /** @type {Record<string, Point[]>} */ (
    rolling.seasons.find((one) => one.season === season)?.models ?? {}
  );
  const [ours, market] = [model, "IMPLIED"].map((name) => lastOfWeeks(curves[name] ?? []));
  const numbers = [...ours.keys()];
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const length = numbers.length > 0 ? last - first + 1 : 0;
  return Array.from({ length }, (_, index) => first + index).map((week) => ({
    from: week * 7 + MONDAY,
    model: ours.get(week) ?? null,
    market: market.get(week) ?? null,
  }));
}

/** Returns the last point of each week. @param {Point[]} points Oldest first. */
function lastOfWeeks(points) {
  return new Map(points.map((point) => [Math.floor((dayNumber(point.date) - MONDAY) / 7), point]));
}

/** @typedef {{ address: Address, rolling: Rolling, season: string, model: string, league: Models }} Strip */

/**
 * Draws the strip; a note without a week of enough games.
 * @param {Strip} of
 */
export function weeks({ address, rolling, season, model, league }) {
  const all = weeksOf(rolling, season, model);
  const drawn = all.filter((week) => (week.model?.games ?? 0) >= LEAST);
  if (drawn.length === 0) {
    const text = `The strip of ${season} begins with ${LEAST} graded picks within four weeks.`;
    return element("p", { class: "empty", id: "no-weeks" }, text);
  }
  const compared = drawn.filter(({ market }) => market !== null);
  const ahead = compared.filter(isAhead).length;
  const name = modelName(model);
  const width = 100 / all.length;
  const every = Math.ceil(all.length / 4);
  const ticks = all.flatMap(({ from }, index) =>
    index % every === 0 ? [{ at: index + 0.5, text: shortDay(dateOf(from)) }] : [],
  );
  const boxes = (/** @type {"model" | "market"} */ of) =>
    all.flatMap((week, index) => box(week, of, of === "model" ? model : "IMPLIED", index * width, width) ?? []);
  const rows = [
    { id: "weeks-model", name: [league.label(model)], marks: boxes("model") },
    { id: "weeks-market", name: ["Book’s favourite"], marks: boxes("market") },
  ].map((row) => ({ ...row, label: `${row.marks.length} weeks; the table has them`, figures: [] }));
  return figure({
    id: "weeks",
    title: `${name}'s picks were ahead of the book’s favourite after ${ahead} of ${counted(compared.length, "week")}`,
    note: `Percent of the picks that won over the four weeks up to each week's last game, ${season}. Full: ahead. Pale: fewer than ${ENOUGH} games; fewer than ${LEAST} are not drawn.`,
    season,
    of: counted(all.length, "week"),
    drawing: [rowChart(`The weeks of ${season}`, { range: [0, all.length], ticks }, rows)],
    numbers: () => ({
      caption: `Four weeks up to each week of ${season}`,
      columns: ["Week of", "Picks", "Won", "Book’s favourite, games", "Won by it"].map((head, index) => ({
        head,
        number: index > 0,
      })),
      rows: all.map(({ from, model: ours, market }) => ({
        id: `week-${dateOf(from)}`,
        cells: [day(dateOf(from)), ours?.games, share(ours?.win_pct), market?.games, share(market?.win_pct)],
        values: [dateOf(from), ours?.games, ours?.win_pct, market?.games, market?.win_pct],
      })),
    }),
    address,
    calls: [
      {
        template: "/api/v1/results/{sport}/{model_type}/rolling",
        path: { sport: address.league, model_type: address.market },
        query: { models: `${model},IMPLIED` },
      },
    ],
    class: all.length > 14 ? "weeks many" : "weeks",
  });
}

/** @param {Week} week */
function isAhead({ model, market }) {
  return model !== null && market !== null && model.win_pct > market.win_pct;
}

/**
 * Draws the box of a week; null if its games are too few.
 * @param {Week} week
 * @param {"model" | "market"} of
 * @param {string} model
 * @param {number} from
 * @param {number} width
 */
function box(week, of, model, from, width) {
  const point = week[of];
  if (!point || point.games < LEAST) {
    return null;
  }
  const kind = of === "market" ? "market" : isAhead(week) ? "ahead" : "behind";
  const words = `${modelName(model)}, four weeks up to ${day(point.date)}: ${share(point.win_pct)} of ${counted(point.games, "game")} won`;
  return svg(
    "g",
    {
      class: "mark week",
      "data-kind": kind,
      "data-model": model,
      "data-value": point.win_pct,
      "data-games": point.games,
      "data-faded": point.games < ENOUGH && "",
    },
    svg("title", {}, words),
    svg("rect", { x: `${from + width * 0.05}%`, width: `${width * 0.9}%`, y: "12%", height: "76%", rx: 3 }),
    svg(
      "text",
      { x: `${from + width / 2}%`, y: "50%", "text-anchor": "middle", "dominant-baseline": "central" },
      roughShare(point.win_pct).replace(/\s*%/, ""),
    ),
  );
}
