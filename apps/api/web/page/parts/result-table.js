// The games of a season as a table: their grading, and what is on record of an opened one.

import { element } from "../dom.js";
import { figureIn, figuresIn, outcomeOf } from "../forecasts.js";
import { day, gain, instant, share, start } from "../format.js";
import { entryOf } from "../models.js";
import { sideName } from "../slate.js";
import {
  MARKETS,
  OPENERS,
  POSTED,
  forecastSource,
  matchup,
  modelName,
  plainly,
  probabilitySource,
  ungraded,
} from "../words.js";
import { hitMark } from "./hit.js";
import { movementId, movements } from "./movement.js";
import { proofOf } from "./proof.js";
import { modelTable, table } from "./table.js";

/** @import { Grade, Of, Taken } from "../followed.js" */
/** @import { Row } from "../forecasts.js" */
/** @import { Models } from "../models.js" */
/** @import { TeamNames } from "../teams.js" */
/** @import { Market } from "../words.js" */
/** @import { Place } from "./later.js" */
/** @import { Movements } from "./movement.js" */
/**
 * @typedef {object} Entry A game, and what was taken of it.
 * @property {Row} game
 * @property {Taken} taken
 * @property {Grade} grade
 * @property {string | null} record The model's record after it; null without a grade.
 */
/**
 * @typedef {object} Shown
 * @property {Models} league
 * @property {string[]} models The columns of models.
 * @property {string} model The displayed model.
 * @property {Of} of
 * @property {TeamNames} teams
 */

/**
 * The head of the outcome's column, by market.
 * @type {Record<Market, string>}
 */
const OUTCOME_HEADS = { over_under: "Went over", won_on_points: "Won", won_on_spread: "Covered" };

/**
 * @param {Place} place
 * @param {string} season
 * @param {Entry[]} entries
 * @param {Shown} shown
 */
export function resultTable(place, season, entries, shown) {
  const { market } = place.address;
  const movement = movements(place);
  const rows = entries.map((entry) => {
    const { game } = entry;
    const id = rowId(game);
    const isOpened = place.address.options.get("figure") === movementId(game.game_id);
    const opened = () =>
      element(
        "div",
        {},
        detail(game, shown, market, movement),
        proofOf(place.address.league, market, {
          id: game.game_id,
          isLive: game.recorded === true,
          date: game.date,
          time: game.time_est,
        }),
      );
    const data = {
      "data-game": game.game_id,
      "data-side": entry.taken.side ?? "none",
      "data-grade": entry.grade,
    };
    return { id, data, ...cellsOf(entry, market, shown), detail: opened, isOpened };
  });
  const columns = columnsOf(market, shown);
  const made = table({ caption: `Games of ${season}`, columns, rows, empty: "There are no such games." });
  return element("div", { class: "graded-games" }, made);
}

/** @param {Row} game */
function rowId({ date, time_est: time, away_team: away, home_team: home, game_number: number }) {
  return `result-${[date, time, away, home, number].join("-").replace(/[^A-Za-z0-9]+/g, "-")}`;
}

/**
 * @param {Market} market
 * @param {Shown} shown
 */
function columnsOf(market, { model, of }) {
  const [name, number] = [modelName(model), true];
  const meaning =
    of === "picks"
      ? `The side to which ${name} gave more than one half.`
      : `The side of greater expected value to ${name} at the recorded price, if that was above zero.`;
  return [
    { head: "Game" },
    { head: "Start (ET)", line: true },
    { head: "Score", number, hint: "The away team's first." },
    ...POSTED[market].map((posted) => ({ head: posted.name, number })),
    { head: name, number },
    { head: modelName("IMPLIED"), number },
    { head: OUTCOME_HEADS[market] },
    { head: of === "picks" ? "Pick" : "Bet", hint: meaning, brief: true },
    { head: "Grade", hint: "Won, lost or pushed; or the reason for which a game has no grade.", brief: true },
    { head: "Record", number, hint: `Won and lost, and pushes if there are any, up to this game, of the games shown.` },
  ];
}

/** @type {Record<Grade, boolean | "pushed">} */
const MARKS = { won: true, lost: false, pushed: "pushed", none: false };

/**
 * Returns the cells of a game's row, and their figures.
 * @param {Entry} entry
 * @param {Market} market
 * @param {Shown} shown
 */
function cellsOf({ game, taken, grade, record }, market, { model, teams }) {
  const ungradedAs = game.graded ? "–" : ungraded(game.ungraded_reason ?? "");
  const side = sideName(market, taken.named, figuresIn(game), { away: game.away_team, home: game.home_team }, teams);
  return {
    cells: [
      [
        element("span", { "aria-hidden": "true" }, `${teams.short(game.away_team)} at ${teams.short(game.home_team)}`),
        element("span", { class: "unseen" }, matchup(game)),
      ],
      `${day(game.date)}, ${start(game.time_est)}`,
      game.home_score === null ? "–" : `${game.away_score}–${game.home_score}`,
      ...POSTED[market].map(({ field, write: written }) => written(figureIn(game, field))),
      share(figureIn(game, model)),
      share(game.IMPLIED),
      winner(game, market, teams),
      taken.side === null ? whyNot(taken) : element("strong", { class: "side" }, side),
      grade === "none"
        ? ungradedAs
        : element("span", { class: "forecast" }, hitMark(game, model, MARKS[grade]), " ", grade),
      record ?? "–",
    ],
    values: [
      matchup(game),
      `${game.date} ${game.time_est ?? ""}`,
      game.home_score === null ? null : (game.away_score ?? 0) + game.home_score,
      ...POSTED[market].map(({ field }) => figureIn(game, field)),
      figureIn(game, model),
      game.IMPLIED,
      winner(game, market, teams),
      taken.side === null ? taken.reason : side,
      grade === "none" ? null : grade,
      record,
    ],
  };
}

/** Says why no side was taken. @param {Taken} taken */
function whyNot({ reason, value }) {
  return reason === "no bet" ? `no bet (${gain(value)} at best)` : reason;
}

/**
 * Returns the outcome in the words of its column: whether the total went over, or the team that won or covered.
 * @param {Row} game
 * @param {Market} market
 * @param {TeamNames} teams
 */
function winner(game, market, teams) {
  const outcome = outcomeOf(game, market);
  if (outcome === null) {
    return game.push ? "push" : "–";
  }
  if (market === "over_under") {
    return outcome ? "yes" : "no";
  }
  return teams.short(outcome ? game.home_team : game.away_team);
}

/** The fields that are displayed in the row of a game, or with its models and lines. */
const SHOWN = new Set(
  "date time_est season away_team home_team away_score home_score over won_on_points won_on_spread push graded".split(
    " ",
  ),
);

/** The formats of fields that are neither words nor formatted figures. */
const WRITTEN = /** @type {Record<string, (value: any) => string>} */ ({
  ungraded_reason: ungraded,
  forecast_source: forecastSource,
  model_probability_source: probabilitySource,
  forecast_published_at: instant,
  recorded: (isRecorded) => (isRecorded ? "by this log, before the start" : "no"),
});

/**
 * Builds the list of all recorded fields of a game, and the movement of its lines.
 * @param {Row} game
 * @param {Shown} shown
 * @param {Market} market
 * @param {Movements} movement
 */
function detail(game, { league, models }, market, movement) {
  const name = `${matchup(game)}, ${day(game.date)}`;
  const id = (/** @type {string} */ field) =>
    `field-${game.date}-${game.away_team}-${game.home_team}-${field}`.replace(/[^A-Za-z0-9]+/g, "-");
  const given = models.filter((column) => typeof game[column] === "number");
  const lines = MARKETS.flatMap((of) =>
    POSTED[of].map(({ name: line, full = line, field, opener, write: written }) => ({
      id: id(field),
      cells: [full, written(opener ? figureIn(game, opener) : null), written(figureIn(game, field))],
    })),
  );
  const fields = MARKETS.flatMap((of) => POSTED[of].flatMap(({ field, opener }) => [field, opener]));
  const named = new Set([...SHOWN, ...models, ...fields]);
  const rest = Object.entries(game)
    .filter(([field, value]) => !named.has(field) && value !== null)
    .map(([field, value]) => ({ id: id(field), cells: [plainly(field), (entryOf(WRITTEN, field) ?? String)(value)] }));
  const number = true;
  return element(
    "div",
    { class: "detail" },
    element(
      "div",
      { class: "columns" },
      modelTable(name, Object.fromEntries(given.map((column) => [column, figureIn(game, column)])), league, market),
      table({
        caption: `${name}: lines and prices`,
        columns: [{ head: "Line" }, { ...OPENERS.opened, number }, { head: "Last before the start", number }],
        rows: lines,
      }),
      table({
        caption: `${name}: on record`,
        columns: [{ head: "About" }, { head: "Recorded" }],
        rows: rest,
      }),
    ),
    movement({ id: game.game_id, name, isImported: game.recorded !== true }),
  );
}
