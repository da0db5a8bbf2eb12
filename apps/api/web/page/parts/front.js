// The answers and the parts of the front page: one league's record, what proves it, and what it values most today.

import { Refusal, getIfThere } from "../api.js";
import { element, section } from "../dom.js";
import { day } from "../format.js";
import { hasKey } from "../key.js";
import { Models, modelsOf } from "../models.js";
import { publicRecord } from "../site.js";
import { LEAGUE_NAMES, MARKET_NAMES, POSITIVE_EVENTS, modelName } from "../words.js";
import { CALIBRATION } from "./calibrations.js";
import { checkNewestEntries } from "./chain-check.js";
import { headline } from "./headline.js";
import { RESULTS, lastNight } from "./last-night.js";
import { proven } from "./proven.js";
import { circles } from "./reliability.js";
import { leagueStatus } from "./status.js";
import { followedOf } from "./summaries.js";
import { PICKS, values, valuesOf } from "./values.js";
import { weeks } from "./weeks.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Of } from "../followed.js" */
/** @import { Row } from "../forecasts.js" */
/** @import { PublicLeague } from "../site.js" */
/** @import { League, Market } from "../words.js" */
/** @import { CheckedChain } from "./chain-check.js" */
/** @import { Rolling } from "./curves.js" */
/** @import { Tracking } from "./proven.js" */
/** @import { Calibration } from "./reliability.js" */
/** @import { LeagueStatus } from "./status.js" */
/** @import { Picks } from "./values.js" */
/** @typedef {Answer<"/api/v1/summary/{sport}/{model_type}">} SeasonSummary */
/**
 * What the front page is made of.
 * @typedef {object} Front
 * @property {Models} league
 * @property {string} model The model that leads.
 * @property {Market} market The market of the reliability and the weeks.
 * @property {{ market: Market, summary: SeasonSummary }[]} seasons
 * @property {Calibration | null} calibration
 * @property {Rolling | null} rolling
 * @property {Tracking | null} tracking
 * @property {Picks | null} picks
 * @property {CheckedChain | null} chain
 * @property {LeagueStatus | null} status That of a league whose record is not open: there is little else to see.
 * @property {Row[] | null} newest The newest finals, if no game is to come.
 * @property {string | null} next The date of the next game, if no game is to come.
 */

/** The order of markets on the front page. */
const ORDER = /** @type {Market[]} */ (["won_on_points", "won_on_spread", "over_under"]);

/** The number of games in which the last graded day is looked for. */
const NEWEST = 60;

/** The number of games with the largest values. */
const MOST = 3;

/**
 * Requests the front page of a league: a few small answers.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Front>}
 */
export async function frontOf(address, signal) {
  const { league: sport } = address;
  const isOpen = !hasKey();
  const open = isOpen ? await publicRecord(sport) : null;
  const asked = { signal };
  const public_ = Promise.all([
    getIfThere(PICKS, { path: { sport, market: "moneyline" }, ...asked }),
    checkNewestEntries(sport, signal),
    isOpen && !open ? getIfThere("/api/v1/data-status/{sport}", { path: { sport }, ...asked }) : null,
  ]);
  const record = !isOpen || open ? recordOf(address, open, asked) : null;
  const [[picks, chain, status], read] = await Promise.all([public_, record]);
  const league = read?.league ?? new Models(null, picks?.models_used);
  const front = { market: address.market, seasons: [], calibration: null, rolling: null, tracking: null };
  const model = read?.model ?? picks?.model ?? league.headlineOf(address.market);
  const isOver = valuesOf([{ sport, picks, league }], "picks").length === 0;
  const quiet = isOver && read ? await quietOf(sport, read, asked) : { newest: null, next: null };
  return { ...front, ...read, league, model, picks, chain, status, ...quiet };
}

/** @typedef {{ signal: AbortSignal }} Asked */

/**
 * Requests the record of a league, which is open or has a key.
 * @param {Address} address
 * @param {PublicLeague | null} open
 * @param {Asked} asked
 */
async function recordOf(address, open, asked) {
  const { league: sport } = address;
  const [league, status] = await Promise.all([
    open ? openModels(open) : modelsOf(address, asked.signal),
    open ? null : getIfThere("/api/v1/data-status/{sport}", { path: { sport }, ...asked }),
  ]);
  const isThere = (/** @type {Market} */ market) =>
    open ? Object.keys(open.cards?.[market] ?? {}).length > 0 : Boolean(status?.markets[market].results.published_at);
  const there = ORDER.filter(isThere);
  const markets = there.length > 0 ? there : ORDER;
  const market = markets.includes(address.market) ? address.market : markets[0];
  const finished = open?.public === "finished" ? open.seasons[0] : null;
  const wanted = address.options.get("model") ?? league.headlineOf(market);
  const model = open && !open.models.some((one) => one === wanted) ? open.models[0] : wanted;
  const path = { sport, model_type: market };
  const query = { season: address.options.get("season") ?? finished };
  const [calibration, rolling, tracking, ...summaries] = await Promise.all([
    ofMissing(getIfThere(CALIBRATION, { path, query: { ...query, models: model }, ...asked })),
    finished
      ? null
      : ofMissing(
          getIfThere("/api/v1/results/{sport}/{model_type}/rolling", {
            path,
            query: { models: `${model},IMPLIED` },
            ...asked,
          }),
        ),
    getIfThere("/api/v1/model-tracking/{sport}/{model_type}", { path, query, ...asked }),
    ...markets.map((one) =>
      getIfThere("/api/v1/summary/{sport}/{model_type}", { path: { sport, model_type: one }, query, ...asked }),
    ),
  ]);
  const seasons = summaries.flatMap((summary, place) =>
    summary?.summaries.some((one) => one.model !== "IMPLIED") ? [{ market: markets[place], summary }] : [],
  );
  return { league, model, market, seasons, calibration, rolling, tracking, isFinished: finished !== null };
}

/** Returns the models of an open record, of which it states the names. @param {PublicLeague} open */
function openModels({ headline: model, models }) {
  const league = new Models(null, models);
  league.headline = model;
  return league;
}

/**
 * Returns an answer; null if the API knows no such model there.
 * @template T
 * @param {Promise<T>} answer
 */
function ofMissing(answer) {
  return answer.catch((error) => {
    if (error instanceof Refusal && error.status === 400) {
      return null;
    }
    throw error;
  });
}

/**
 * Requests what a day without games shows: the newest finals, and the date of the next game.
 * @param {League} sport
 * @param {{ seasons: { market: Market, summary: SeasonSummary }[], tracking: Tracking | null, model: string, isFinished: boolean }} record
 * @param {Asked} asked
 */
async function quietOf(sport, { seasons, tracking, model, isFinished }, asked) {
  const [first] = seasons;
  if (!first) {
    return { newest: null, next: null };
  }
  const path = { sport, model_type: "won_on_points" };
  const { season, current_season: current } = first.summary;
  const isCurrent = season === current;
  // The newest games come first where no season is named; the last day of an earlier season is that of its last forecast.
  const from = tracking?.models.find((one) => one.model === model)?.last_date;
  const query = isCurrent ? { state: "final", limit: NEWEST } : { season, from, state: "final", limit: NEWEST };
  const [finals, form] = await Promise.all([
    getIfThere(RESULTS, { path, query, ...asked }),
    isCurrent && !isFinished ? getIfThere("/api/v1/results/{sport}/{model_type}/team-form", { path, ...asked }) : null,
  ]);
  const dates = form?.teams.flatMap(({ next_game_date: date }) => date ?? []) ?? [];
  return { newest: finals?.results ?? null, next: dates.toSorted()[0] ?? null };
}

/**
 * Builds the front page.
 * @param {Address} address
 * @param {Front} front
 * @param {Of} of
 * @param {string} name The name of the publisher.
 * @returns {Child[]}
 */
export function frontPage(address, front, of, name) {
  const { league, model, market, calibration, rolling, tracking, chain } = front;
  const place = { ...address, market };
  const season = front.seasons[0]?.summary.season;
  const drawn = [
    calibration && circles(place, calibration, model, league.tone(model), POSITIVE_EVENTS[market]),
    rolling && season && weeks({ address: place, rolling, season, model, league }),
  ];
  const title = [name, LEAGUE_NAMES[address.league], season].filter(Boolean).join(", ");
  return [
    section(
      title,
      front.seasons.length > 0 &&
        element(
          "div",
          { class: "headlines" },
          cardsOf(front).map(([one, name]) => headlineOf(one, name, front, of)),
        ),
      front.seasons.length > 0 && element("p", { class: "note" }, reading(of)),
      front.status && leagueStatus(front.status),
      proven(place, tracking, chain, model),
      element(
        "div",
        { class: drawn[0] ? "front" : "front single" },
        drawn[0] && element("div", { class: "left" }, drawn[0]),
        element("div", { class: "right" }, drawn[1], ...today(address, front, of)),
      ),
    ),
  ];
}

/** Says how the figures of the season are read. @param {Of} of */
function reading(of) {
  const what =
    of === "picks"
      ? "A pick is the side to which the model gives more than one half."
      : "A bet is the side of greater expected value at the recorded price, if that is above zero.";
  return `${what} Small: 95\u00a0% intervals. ● the model, ▮ the book’s favourite in the same games, │ breaks even.`;
}

/** The number of cards. */
const CARDS = 3;

/**
 * Returns what the cards are of: the leading model in each market, or the models of the only market, the leading one first.
 * @param {Front} front
 * @returns {[{ market: Market, summary: SeasonSummary }, string][]}
 */
function cardsOf({ seasons, model }) {
  const namesOf = (/** @type {SeasonSummary} */ { summaries }) => {
    const names = summaries.map((one) => String(one.model)).filter((name) => !["IMPLIED", "ENSEMBLE"].includes(name));
    return names.includes(model) ? [model, ...names.filter((name) => name !== model)] : names;
  };
  const most = seasons.length === 1 ? CARDS : 1;
  return seasons.flatMap((one) =>
    namesOf(one.summary)
      .slice(0, most)
      .map((name) => /** @type {[typeof one, string]} */ ([one, name])),
  );
}

/**
 * @param {{ market: Market, summary: SeasonSummary }} of
 * @param {string} name The model.
 * @param {Front} front
 * @param {Of} kind
 */
function headlineOf({ market, summary }, name, { league }, kind) {
  const found = summary.summaries.find((one) => one.model === name);
  if (!found) {
    return null;
  }
  return headline({
    id: `headline-${market}-${name}`,
    title: [MARKET_NAMES[market], " ", element("small", {}, modelName(found.model))],
    of: kind,
    model: found.model,
    league,
    record: followedOf(found, kind),
  });
}

/**
 * Builds what is worth most of the games to come; on a day without games the last graded one, and the next slate.
 * @param {Address} address
 * @param {Front} front
 * @param {Of} of
 * @returns {Child[]}
 */
function today(address, { league, model, picks, newest, next }, of) {
  const slates = [{ sport: address.league, picks, league }];
  if (newest === null) {
    return [values({ id: "values", address, slates, of, most: MOST })];
  }
  const slate = next ? `The next games are on ${day(next)}.` : "No next game is on record yet; its slate appears here.";
  const [last] = newest
    .filter((game) => game.graded)
    .map(({ date }) => String(date))
    .toSorted()
    .toReversed();
  const played = newest.filter(({ date }) => date === last);
  return [
    element("p", { id: "next-slate" }, `No game is to come on the published slate. ${slate}`),
    last ? lastNight(address, [{ sport: address.league, date: last, model, played }], of, "last-day") : null,
  ];
}
