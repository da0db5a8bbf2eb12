// The day in every league: freshness, yesterday's graded games, and the largest values.

import { get, getIfThere } from "../api.js";
import { write } from "../address.js";
import { easternTime } from "../clock.js";
import { element, section } from "../dom.js";
import { instant, start } from "../format.js";
import { hasKey } from "../key.js";
import { Models, modelsOf } from "../models.js";
import { publicRecord } from "../site.js";
import { LEAGUE_NAMES, MARKETS, MARKET_NAMES } from "../words.js";
import { dateOf, dayNumber } from "./dates.js";
import { RESULTS, lastNight } from "./last-night.js";
import { statusChip } from "./status.js";
import { PICKS, values } from "./values.js";

/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Of } from "../followed.js" */
/** @import { Row } from "../forecasts.js" */
/** @import { League } from "../words.js" */
/** @import { LeagueStatus } from "./status.js" */
/** @import { Picks } from "./values.js" */
/**
 * A league's day.
 * @typedef {object} LeagueDay
 * @property {League} sport
 * @property {LeagueStatus} status
 * @property {Picks | null} picks
 * @property {Models} league
 * @property {boolean} isReadable True with a key, or if the whole record is open.
 * @property {string} date Yesterday.
 * @property {string} model
 * @property {Row[]} played The games of yesterday; none where the record cannot be read.
 */

/** The number of games with the largest values. */
const MOST = 8;

/**
 * Requests the day of a league.
 * @param {League} sport
 * @param {AbortSignal} signal
 * @returns {Promise<LeagueDay>}
 */
export async function dayOf(sport, signal) {
  const isOpen = !hasKey();
  const asked = { signal };
  const [status, picks] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, ...asked }),
    getIfThere(PICKS, { path: { sport, market: "moneyline" }, ...asked }),
  ]);
  const date = dateOf(dayNumber(status.date) - 1);
  const open = isOpen ? await publicRecord(sport) : null;
  const isReadable = !isOpen || open?.public === "all";
  const league = isOpen
    ? new Models(null, open?.models ?? picks?.models_used)
    : await modelsOf({ league: sport }, signal);
  league.headline = open?.headline ?? league.headline;
  const model = isOpen ? league.headline : league.headlineOf("won_on_points");
  const day = { sport, status, picks, league, isReadable, date, model };
  if (!isReadable) {
    return { ...day, played: [] };
  }
  const path = { sport, model_type: "won_on_points" };
  const games = await getIfThere(RESULTS, { path, query: { from: date, to: date }, ...asked });
  return { ...day, played: games?.results ?? [] };
}

/**
 * Builds the day of all leagues.
 * @param {Address} address
 * @param {LeagueDay[]} days
 * @param {Of} of
 * @param {Child} contact How to get a key, if there is none.
 * @returns {Child[]}
 */
export function everywhere(address, days, of, contact) {
  const published = days.filter(({ status }) => status.degradation_reason !== "release_missing");
  if (published.length === 0) {
    return [element("p", { class: "empty" }, "Nothing was published here yet.")];
  }
  const readable = published.filter(({ isReadable }) => isReadable);
  return [
    section(
      "Last night",
      readable.length > 0 && lastNight(address, readable, of),
      readable.length < published.length && needsKey(contact),
    ),
    published.length > 1 &&
      section(
        "Worth most in every league",
        values({ id: "values-everywhere", address, slates: published, of, most: MOST, where: "in every league" }),
      ),
    section("How fresh it is", tiles(address, published)),
  ];
}

/**
 * Builds one tile of freshness for each league.
 * @param {Address} address
 * @param {LeagueDay[]} days
 */
function tiles(address, days) {
  const all = days.map(({ sport, status }) => {
    const href = write(address, { view: "freshness", league: sport }, { figure: "days" });
    const link = element(
      "a",
      { href, id: `tile-${sport}` },
      element("strong", {}, LEAGUE_NAMES[sport]),
      " ",
      statusChip(status.status),
      element("small", {}, [oddsOf(status), marketsOf(status)].filter(Boolean).join(" · ")),
    );
    return element("li", { "data-status": status.status }, link);
  });
  return element("ul", { class: "tiles", "aria-label": "Freshness of each league" }, all);
}

/** Describes the age of a league's odds: the time alone if they are of its day. @param {LeagueStatus} status */
function oddsOf({ odds, date }) {
  if (!odds) {
    return "No odds";
  }
  const [on, at] = easternTime(Date.parse(odds.source_as_of)).split(" ");
  return `Odds of ${on === date ? start(at) : instant(odds.source_as_of)}`;
}

/** Names the markets of a league that does not have all of them. @param {LeagueStatus} status */
function marketsOf({ markets }) {
  const expected = MARKETS.filter((market) => markets[market].expected !== false);
  return expected.length < MARKETS.length && `${expected.map((market) => MARKET_NAMES[market]).join(", ")} only`;
}

/** @param {Child} contact */
function needsKey(contact) {
  const text = "Yesterday's forecasts and all history need a key. ";
  return element("p", { class: "note", id: "contact" }, text, contact);
}
