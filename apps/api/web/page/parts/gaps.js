// The games of all leagues in which the model and the book differ most.

import { write } from "../address.js";
import { hasStarted } from "../clock.js";
import { element } from "../dom.js";
import { points, share, start } from "../format.js";
import { STANDARD_MODEL, entryOf } from "../models.js";
import { LEAGUE_NAMES, modelName } from "../words.js";
import { dumbbell, fittedAxis, inWords, legendOf } from "./dumbbell.js";
import { figure } from "./figure.js";
import { rowChart } from "./row-chart.js";

/** @import { Address } from "../address.js" */
/** @import { LeagueDay, Picks } from "../views/overview.js" */
/** @import { League } from "../words.js" */
/** @import { Axis } from "./row-chart.js" */
/** @import { Tone } from "./tones.js" */
/**
 * @typedef {object} Gap
 * @property {League} sport
 * @property {Picks["games"][number]} game
 * @property {string} model
 * @property {Tone} tone
 * @property {number} forecast
 * @property {number} book
 * @property {number} gap
 */

export const PICKS = "/api/v1/public/ml-picks/{sport}/{market}";

/** The number of games. */
const WIDEST = 8;

/**
 * Returns the games that are still to come and have both probabilities, the widest gap first.
 * @param {LeagueDay[]} days
 * @returns {Gap[]}
 */
function widest(days) {
  const games = days.flatMap(({ sport, picks, league }) => {
    const model = picks?.model ?? STANDARD_MODEL;
    const tone = league.tone(model);
    return (picks?.games ?? []).flatMap((game) => {
      const [forecast, book] = [entryOf(game.models, model), game.implied_probability];
      const isOpen =
        typeof forecast === "number" && typeof book === "number" && !hasStarted({ ...game, time: game.time });
      return isOpen ? [{ sport, game, model, tone, forecast, book, gap: forecast - book }] : [];
    });
  });
  return games.toSorted((a, b) => Math.abs(b.gap) - Math.abs(a.gap)).slice(0, WIDEST);
}

/**
 * Draws the games with the widest gaps between the model and the book.
 * @param {Address} address
 * @param {LeagueDay[]} days
 */
export function gaps(address, days) {
  const games = widest(days);
  if (games.length === 0) {
    return element("p", { class: "empty" }, "No game with a forecast and a price is still to come today.");
  }
  const axis = fittedAxis(games.flatMap(({ forecast, book }) => [forecast, book]));
  const models = new Map(games.map(({ model, tone }) => [JSON.stringify([model, tone]), { model, tone }]));
  return figure({
    id: "gaps",
    title: "Probability that the home team wins: the model and the book",
    note: "The figure is the gap in points, with the team that the model gives more than the book does.",
    legend: legendOf([...models.values()], false),
    drawing: [
      rowChart(
        "The widest gaps",
        axis,
        games.map((gap) => rowOf(address, gap, axis, models.size > 1)),
      ),
    ],
    numbers: () => numbersOf(games),
    address,
    calls: days.map(({ sport }) => ({ template: PICKS, path: { sport, market: "moneyline" }, isPublic: true })),
  });
}

/**
 * @param {Address} address
 * @param {Gap} gap
 * @param {Axis} axis
 * @param {boolean} isMixed True if the figure has several models.
 */
function rowOf(address, { sport, game, model, tone, forecast, book, gap }, axis, isMixed) {
  const compared = { game: game.game_id, model, tone, isPositive: true, forecast, book };
  const place = { view: "today", league: sport, market: "won_on_points" };
  const href = write({ ...address, options: new URLSearchParams() }, place);
  const words = [LEAGUE_NAMES[sport], start(game.time), isMixed && modelName(model)].filter(Boolean).join(", ");
  return {
    id: `gap-${game.game_id}`,
    name: [element("a", { href }, nameOf(game)), element("small", {}, words)],
    marks: dumbbell(compared, axis),
    label: `${game.home_team} wins: ${inWords(compared)}`,
    figures: [
      element("strong", {}, points(Math.abs(gap))),
      element("small", {}, gap > 0 ? game.home_team : game.away_team),
    ],
  };
}

/** @param {{ away_team: string, home_team: string }} game */
function nameOf({ away_team: away, home_team: home }) {
  return `${away} at ${home}`;
}

/** @param {Gap[]} games */
function numbersOf(games) {
  const heads = ["Game", "League", "Model", "Model %", "Book %", "Gap"];
  return {
    caption: "Games with the widest gaps",
    columns: heads.map((head, index) => ({ head, number: index > 2 })),
    rows: games.map(({ sport, game, model, forecast, book, gap }) => ({
      id: `gap-row-${game.game_id}`,
      cells: [nameOf(game), LEAGUE_NAMES[sport], modelName(model), share(forecast), share(book), points(gap)],
      values: [nameOf(game), sport, model, forecast, book, gap],
    })),
  };
}
