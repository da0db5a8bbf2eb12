// The picture of the day across all leagues with data: freshness, the widest gaps to the market, last night's forecasts.

import { write } from "../address.js";
import { get, getIfThere } from "../api.js";
import { easternTime, hasStarted } from "../clock.js";
import { element, section } from "../dom.js";
import { counted, day, instant, points, share, start } from "../format.js";
import { isHit } from "../forecasts.js";
import { key } from "../key.js";
import { STANDARD_MODEL, entryOf } from "../models.js";
import { SHARES, dumbbell, inWords, legendOf } from "../parts/dumbbell.js";
import { renewed } from "../parts/failure.js";
import { figure } from "../parts/figure.js";
import { hitMark } from "../parts/hit.js";
import { howToGetAKey } from "../parts/key-form.js";
import { rowChart } from "../parts/row-chart.js";
import { statusChip } from "../parts/status.js";
import { toneOf } from "../parts/tones.js";
import { LEAGUE_NAMES, matchup, modelName } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Child } from "../dom.js" */
/** @import { Context } from "../main.js" */
/** @import { LeagueStatus } from "../parts/status.js" */
/** @import { League } from "../words.js" */
/** @typedef {Answer<"/api/v1/public/ml-picks/{sport}/{market}">} Picks */
/** @typedef {{ sport: League, status: LeagueStatus, picks: Picks | null, played: Record<string, any>[] | null }} LeagueDay */

export const title = "Overview";

const RENEWED = 60_000;
const MONEYLINES = "moneyline";
const PICKS = "/api/v1/public/ml-picks/{sport}/{market}";
const RESULTS = "/api/v1/results/{sport}/{model_type}";

/** The number of games with the widest gaps. */
const WIDEST = 8;

/** A number of games that reaches back to yesterday in every league. */
const NEWEST = 400;

/** @param {Context} context */
export async function show(context) {
  const { leagues, signal } = context;
  const ask = () => Promise.all(leagues.map((sport) => dayOf(sport, signal)));
  const contact = key() === null ? await howToGetAKey() : null;
  return [await renewed(RENEWED, signal, ask, (days) => picture(context, days, contact))];
}

/**
 * @param {League} sport
 * @param {AbortSignal} signal
 * @returns {Promise<LeagueDay>}
 */
async function dayOf(sport, signal) {
  const [status, picks] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    getIfThere(PICKS, { path: { sport, market: MONEYLINES }, signal }),
  ]);
  if (key() === null) {
    return { sport, status, picks, played: null };
  }
  // A season without games of that date refuses the date, so the newest games are asked for.
  const path = { sport, model_type: "won_on_points" };
  const newest = await getIfThere(RESULTS, { path, query: { limit: NEWEST }, signal });
  const date = before(status.date);
  return { sport, status, picks, played: newest?.results.filter((game) => game.date === date) ?? [] };
}

/** Returns the date before another. @param {string} date */
function before(date) {
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/**
 * @param {Context} context
 * @param {LeagueDay[]} days
 * @param {Child} contact
 * @returns {Child[]}
 */
function picture(context, days, contact) {
  const published = days.filter(({ status }) => status.degradation_reason !== "release_missing");
  if (published.length === 0) {
    return [element("p", { class: "empty" }, "Nothing was published here yet.")];
  }
  return [
    element("p", { class: "lead" }, day(published[0].status.date)),
    strip(context, published),
    section("Where model and market differ most", gaps(context, published)),
    section("Last night", ...lastNight(context, published, contact)),
  ];
}

/**
 * Builds the strip of freshness: one tile for each league.
 * @param {Context} context
 * @param {LeagueDay[]} days
 */
function strip({ address }, days) {
  const tiles = days.map(({ sport, status }) => {
    const href = write(address, { view: "freshness", league: sport }, { figure: "days" });
    const link = element(
      "a",
      { href, id: `tile-${sport}` },
      element("strong", {}, LEAGUE_NAMES[sport]),
      " ",
      statusChip(status.status),
      element("small", {}, oddsOf(status)),
    );
    return element("li", { "data-status": status.status }, link);
  });
  return element("ul", { class: "tiles", "aria-label": "Freshness of each league" }, tiles);
}

/** Describes the age of a league's odds: the time alone if they are of its day. @param {LeagueStatus} status */
function oddsOf({ odds, date }) {
  if (!odds) {
    return "No odds";
  }
  const [on, at] = easternTime(Date.parse(odds.source_as_of)).split(" ");
  return `Odds of ${on === date ? start(at) : instant(odds.source_as_of)}`;
}

/**
 * Returns the games that are still to come and have both probabilities, the widest gap first.
 * @param {LeagueDay[]} days
 */
function widest(days) {
  const games = days.flatMap(({ sport, picks }) => {
    const model = picks?.model ?? STANDARD_MODEL;
    return (picks?.games ?? []).flatMap((game) => {
      const [forecast, book] = [entryOf(game.models, model), game.implied_probability];
      const isOpen =
        typeof forecast === "number" && typeof book === "number" && !hasStarted({ ...game, time: game.time });
      return isOpen ? [{ sport, game, model, forecast, book, gap: forecast - book }] : [];
    });
  });
  return games.toSorted((a, b) => Math.abs(b.gap) - Math.abs(a.gap)).slice(0, WIDEST);
}

/**
 * @param {Context} context
 * @param {LeagueDay[]} days
 */
function gaps({ address }, days) {
  const games = widest(days);
  if (games.length === 0) {
    return element("p", { class: "empty" }, "No game with a forecast and a price is still to come today.");
  }
  const tone = toneOf(games[0].model, -1);
  const rows = games.map(({ sport, game, model, forecast, book, gap }) => {
    const compared = { game: game.game_id, model, tone: toneOf(model, -1), forecast, book };
    const href = write(
      { ...address, options: new URLSearchParams() },
      { view: "today", league: sport, market: "won_on_points" },
    );
    const side = gap > 0 ? game.home_team : game.away_team;
    return {
      id: `gap-${game.game_id}`,
      name: [
        element("a", { href }, `${game.away_team} at ${game.home_team}`),
        element("small", {}, `${LEAGUE_NAMES[sport]}, ${start(game.time)}`),
      ],
      marks: dumbbell(compared),
      label: `${game.home_team} wins: ${inWords(compared)}`,
      figures: [element("strong", {}, points(Math.abs(gap))), element("small", {}, side)],
    };
  });
  const numbers = () => ({
    caption: "Games with the widest gaps",
    columns: ["Game", "League", "Model", "Model %", "Book %", "Gap"].map((head, index) => ({
      head,
      number: index > 2,
    })),
    rows: games.map(({ sport, game, model, forecast, book, gap }) => ({
      id: `gap-row-${game.game_id}`,
      cells: [
        `${game.away_team} at ${game.home_team}`,
        LEAGUE_NAMES[sport],
        modelName(model),
        share(forecast),
        share(book),
        points(gap),
      ],
      values: [`${game.away_team} at ${game.home_team}`, sport, model, forecast, book, gap],
    })),
  });
  return figure({
    id: "gaps",
    title: "Probability that the home team wins: the model and the book",
    note: "The figure is the gap in points, with the team that the model gives more than the book does.",
    legend: legendOf(games[0].model, tone, false),
    drawing: [rowChart("The widest gaps", SHARES, rows)],
    numbers,
    address,
    calls: days.map(({ sport }) => ({ template: PICKS, path: { sport, market: MONEYLINES }, isPublic: true })),
  });
}

/**
 * @param {Context} context
 * @param {LeagueDay[]} days
 * @param {Child} contact
 * @returns {Child[]}
 */
function lastNight({ address }, days, contact) {
  if (key() === null) {
    return [
      element("p", { class: "note", id: "contact" }, "Yesterday's forecasts and all history need a key. ", contact),
    ];
  }
  const leagues = days.flatMap(({ sport, status, picks, played }) => {
    const model = picks?.model ?? STANDARD_MODEL;
    const graded = (played ?? []).flatMap((game) => {
      const hit = isHit(game, "won_on_points", model);
      return hit === null ? [] : [{ game, hit }];
    });
    return graded.length > 0 ? [{ sport, date: before(status.date), model, graded }] : [];
  });
  if (leagues.length === 0) {
    return [element("p", { class: "empty" }, "No game of yesterday is graded.")];
  }
  const all = leagues.flatMap(({ graded }) => graded);
  const hits = all.filter(({ hit }) => hit).length;
  const rows = leagues.map(({ sport, date, model, graded }) => {
    const won = graded.filter(({ hit }) => hit).length;
    const href = write(
      { ...address, options: new URLSearchParams() },
      { view: "results", league: sport, market: "won_on_points" },
      { from: date, to: date },
    );
    return element(
      "li",
      { class: "hit-row", id: `night-${sport}` },
      element("a", { href }, LEAGUE_NAMES[sport]),
      element("span", { class: "count" }, `${won} of ${graded.length}`),
      element(
        "span",
        { class: "hits" },
        graded.map(({ game, hit }) => hitMark(game, model, hit)),
      ),
    );
  });
  const numbers = () => ({
    caption: "Yesterday's forecasts",
    columns: ["Game", "League", "Model", "Home team wins", "Score", "Forecast"].map((head, index) => ({
      head,
      number: index === 3,
    })),
    rows: leagues.flatMap(({ sport, model, graded }) =>
      graded.map(({ game, hit }) => ({
        id: `night-${game.game_id}`,
        cells: [
          matchup(/** @type {any} */ (game)),
          LEAGUE_NAMES[sport],
          modelName(model),
          share(game[model]),
          `${game.away_score}–${game.home_score}`,
          hit ? "right" : "wrong",
        ],
        values: [
          matchup(/** @type {any} */ (game)),
          sport,
          model,
          game[model],
          `${game.away_score}-${game.home_score}`,
          hit ? "right" : "wrong",
        ],
      })),
    ),
  });
  return [
    figure({
      id: "night",
      title: `${hits} of ${counted(all.length, "forecast")} of a winner were right on ${day(leagues[0].date)}`,
      note: "One mark for each game: filled if the model's side won, crossed if it lost.",
      drawing: [element("ul", { class: "hit-rows" }, rows)],
      numbers,
      address,
      calls: leagues.map(({ sport, date }) => ({
        template: RESULTS,
        path: { sport, model_type: "won_on_points" },
        query: { from: date, to: date },
      })),
    }),
  ];
}
