// Yesterday's forecasts of winners: which were right.

import { write } from "../address.js";
import { element } from "../dom.js";
import { isHit } from "../forecasts.js";
import { counted, day, share } from "../format.js";
import { LEAGUE_NAMES, matchup, modelName } from "../words.js";
import { figure } from "./figure.js";
import { hitMark } from "./hit.js";

/** @import { Address } from "../address.js" */
/** @import { LeagueDay } from "../views/overview.js" */
/** @import { League } from "../words.js" */
/** @typedef {{ game: Record<string, any>, hit: boolean }} Graded */
/** @typedef {{ sport: League, date: string, model: string, graded: Graded[] }} Night */

export const RESULTS = "/api/v1/results/{sport}/{model_type}";

/**
 * @param {Address} address
 * @param {LeagueDay[]} days
 */
export function lastNight(address, days) {
  const leagues = days.map(nightOf).filter(({ graded }) => graded.length > 0);
  if (leagues.length === 0) {
    return element("p", { class: "empty" }, "No game of yesterday is graded.");
  }
  const all = leagues.flatMap(({ graded }) => graded);
  return figure({
    id: "night",
    title: `${rightOf(all)} of ${counted(all.length, "forecast")} of a winner were right on ${day(leagues[0].date)}`,
    note: "One mark for each game: filled if the model's side won, crossed if it lost.",
    drawing: [
      element(
        "ul",
        { class: "hit-rows" },
        leagues.map((league) => rowOf(address, league)),
      ),
    ],
    numbers: () => numbersOf(leagues),
    address,
    calls: leagues.map(({ sport, date }) => ({
      template: RESULTS,
      path: { sport, model_type: "won_on_points" },
      query: { from: date, to: date },
    })),
  });
}

/**
 * @param {LeagueDay} day
 * @returns {Night}
 */
function nightOf({ sport, yesterday: date, league, played }) {
  const model = league.headlineOf("won_on_points");
  const graded = played.flatMap((game) => {
    const hit = isHit(game, "won_on_points", model);
    return hit === null ? [] : [{ game, hit }];
  });
  return { sport, date, model, graded };
}

/** @param {Graded[]} graded */
function rightOf(graded) {
  return graded.filter(({ hit }) => hit).length;
}

/**
 * @param {Address} address
 * @param {Night} night
 */
function rowOf(address, { sport, date, model, graded }) {
  const place = { view: "results", league: sport, market: "won_on_points" };
  const href = write({ ...address, options: new URLSearchParams() }, place, { from: date, to: date });
  return element(
    "li",
    { class: "hit-row", id: `night-${sport}` },
    element("a", { href }, LEAGUE_NAMES[sport]),
    element("span", { class: "count" }, `${rightOf(graded)} of ${graded.length}`),
    element(
      "span",
      { class: "hits" },
      graded.map(({ game, hit }) => hitMark(game, model, hit)),
    ),
  );
}

/** @param {Night[]} leagues */
function numbersOf(leagues) {
  const heads = ["Game", "League", "Model", "Home team wins", "Score", "Forecast"];
  const rows = leagues.flatMap(({ sport, model, graded }) =>
    graded.map(({ game, hit }) => {
      const name = matchup(/** @type {any} */ (game));
      const [score, word] = [`${game.away_score}–${game.home_score}`, hit ? "right" : "wrong"];
      return {
        id: `night-${game.game_id}`,
        cells: [name, LEAGUE_NAMES[sport], modelName(model), share(game[model]), score, word],
        values: [name, sport, model, game[model], score, word],
      };
    }),
  );
  const columns = heads.map((head, index) => ({ head, number: index === 3 }));
  return { caption: "Yesterday's forecasts", columns, rows };
}
