// The graded games of a day, of each league: the picks or the bets of its model, and the book's favourite over the same games.

import { write } from "../address.js";
import { element } from "../dom.js";
import { baselineOf, gradeOf, takenOf, tally } from "../followed.js";
import { figureIn } from "../forecasts.js";
import { counted, day, share } from "../format.js";
import { LEAGUE_NAMES, capitalised, matchup, modelName } from "../words.js";
import { figure } from "./figure.js";
import { hitMark } from "./hit.js";
import { printedBaseline, printedRecord, wonLost } from "./printed-record.js";

/** @import { Address } from "../address.js" */
/** @import { Grade, Of, Tally } from "../followed.js" */
/** @import { Row } from "../forecasts.js" */
/** @import { League } from "../words.js" */
/** @typedef {{ sport: League, date: string, model: string, played: Row[] }} PlayedDay The games of a league on a date. */
/** @typedef {{ game: Row, side: string, grade: Grade }} Graded */
/** @typedef {PlayedDay & { graded: Graded[], record: Tally, baseline: Tally }} Night */

export const RESULTS = "/api/v1/results/{sport}/{model_type}";

const MARKET = "won_on_points";

/** @type {Record<Grade, string>} */
const WORDS = { won: "won", lost: "lost", pushed: "pushed", none: "not graded" };

/**
 * Draws the graded games of each league on one date.
 * @param {Address} address
 * @param {PlayedDay[]} days
 * @param {Of} of
 * @param {string} [id]
 */
export function lastNight(address, days, of, id = "night") {
  const leagues = days.map((one) => nightOf(one, of)).filter(({ graded }) => graded.length > 0);
  if (leagues.length === 0) {
    return element("p", { class: "empty", id: `no-${id}` }, `No ${noun(of)} of that day is graded.`);
  }
  const [all, book] = [sum(leagues.map(({ record }) => record)), sum(leagues.map(({ baseline }) => baseline))];
  return figure({
    id,
    title: `${capitalised(of)} of ${day(leagues[0].date)}: ${wonLost(all)}; the book’s favourite ${wonLost(book)} over the same games`,
    note: `Won, lost and pushed. One mark for each ${noun(of)} of a winner: filled if its side won, crossed if it lost; green where the favourite lost, if the model won more.`,
    drawing: [
      element(
        "ul",
        { class: "hit-rows" },
        leagues.map((league) => rowOf(address, league, id)),
      ),
    ],
    numbers: () => numbersOf(leagues, of),
    address,
    calls: leagues.map(({ sport, date }) => ({
      template: RESULTS,
      path: { sport, model_type: MARKET },
      query: { from: date, to: date },
    })),
  });
}

/** @param {Of} of */
function noun(of) {
  return of === "picks" ? "pick" : "bet";
}

/**
 * @param {PlayedDay} one
 * @param {Of} of
 * @returns {Night}
 */
function nightOf(one, of) {
  const { model, played } = one;
  const graded = played.flatMap((game) => {
    const { side } = takenOf(of, MARKET, model, game);
    const grade = gradeOf(side, MARKET, game);
    return side === null || grade === "none" ? [] : [{ game, side, grade }];
  });
  const record = tally(graded.map(({ grade }) => grade));
  return { ...one, graded, record, baseline: baselineOf(of, MARKET, model, played) };
}

/** @param {Tally[]} records @returns {Tally} */
function sum(records) {
  return records.reduce(
    (all, { won, lost, pushed }) => ({ won: all.won + won, lost: all.lost + lost, pushed: all.pushed + pushed }),
    { won: 0, lost: 0, pushed: 0 },
  );
}

/**
 * @param {Address} address
 * @param {Night} night
 * @param {string} id
 */
function rowOf(address, night, id) {
  const { sport, date, model, graded, record, baseline } = night;
  const place = { view: "results", league: sport, market: MARKET };
  const href = write({ ...address, options: ofAlone(address) }, place, { from: date, to: date });
  return element(
    "li",
    { class: "hit-row", id: `${id}-${sport}` },
    element("a", { href }, LEAGUE_NAMES[sport], " ", element("small", {}, modelName(model))),
    element(
      "span",
      { class: "count" },
      printedRecord(model, record),
      element("small", {}, "book ", printedBaseline(baseline)),
    ),
    element(
      "ul",
      { class: "hits", "aria-label": counted(graded.length, "game") },
      graded.map((one) => hitOf(night, one)),
    ),
  );
}

/** Returns the option of picks and bets alone. @param {Address} address */
function ofAlone({ options }) {
  const of = options.get("of");
  return new URLSearchParams(of ? { of } : {});
}

/**
 * @param {Night} night
 * @param {Graded} graded
 */
function hitOf({ sport, model, record, baseline }, { game, side, grade }) {
  const book = gradeOf(takenOf("picks", MARKET, "IMPLIED", game).side, MARKET, game);
  const isAhead = record.won > baseline.won && grade === "won" && book === "lost";
  const mark = hitMark(game, model, grade === "pushed" ? "pushed" : grade === "won", isAhead);
  return element(
    "li",
    { "data-game": game.game_id, "data-side": side, "data-grade": grade },
    element("a", { href: `#/game/${sport}/${game.game_id}` }, mark),
  );
}

/**
 * @param {Night[]} leagues
 * @param {Of} of
 */
function numbersOf(leagues, of) {
  const heads = ["Game", "League", "Model", "Home team wins", "Side", "Score", "Grade"];
  const rows = leagues.flatMap(({ sport, model, graded }) =>
    graded.map(({ game, side, grade }) => {
      const name = matchup(game);
      const score = `${game.away_score}–${game.home_score}`;
      return {
        id: `night-${game.game_id}`,
        cells: [name, LEAGUE_NAMES[sport], modelName(model), share(figureIn(game, model)), side, score, WORDS[grade]],
        values: [name, sport, model, figureIn(game, model), side, score, WORDS[grade]],
      };
    }),
  );
  const columns = heads.map((head, index) => ({ head, number: index === 3 }));
  return { caption: `${capitalised(of)} of the day`, columns, rows };
}
