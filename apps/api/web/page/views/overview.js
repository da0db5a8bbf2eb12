// The picture of the day across all leagues with data: freshness, the widest gaps to the market, last night's forecasts.

import { write } from "../address.js";
import { get, getIfThere } from "../api.js";
import { easternTime } from "../clock.js";
import { element, section } from "../dom.js";
import { day, instant, start } from "../format.js";
import { hasKey } from "../key.js";
import { Models, modelsOf } from "../models.js";
import { dateOf, dayNumber } from "../parts/dates.js";
import { renewed } from "../parts/failure.js";
import { PICKS, gaps } from "../parts/gaps.js";
import { howToGetAKey } from "../parts/key-form.js";
import { RESULTS, lastNight } from "../parts/last-night.js";
import { statusChip } from "../parts/status.js";
import { followLeagues, publicRecord } from "../site.js";
import { LEAGUE_NAMES, MARKETS, MARKET_NAMES } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Child } from "../dom.js" */
/** @import { Context } from "../main.js" */
/** @import { LeagueStatus } from "../parts/status.js" */
/** @import { League } from "../words.js" */
/** @typedef {Answer<typeof PICKS>} Picks */
/**
 * A league's day.
 * @typedef {object} LeagueDay
 * @property {League} sport
 * @property {LeagueStatus} status
 * @property {Picks | null} picks
 * @property {boolean} isOpen Whether the record can be read: with a key, or because it is public.
 * @property {Models} league
 * @property {string} yesterday
 * @property {Record<string, any>[]} played The games of yesterday; none where the record cannot be read.
 */

export const title = "Overview";

const RENEWED = 60_000;

/** A number of games that reaches back to yesterday in every league. */
const NEWEST = 400;

/** @param {Context} context */
export async function show(context) {
  const { leagues, signal } = context;
  const ask = () => Promise.all(leagues.map((sport) => dayOf(sport, signal)));
  followLeagues(RENEWED, context);
  const contact = !hasKey() ? await howToGetAKey() : null;
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
    getIfThere(PICKS, { path: { sport, market: "moneyline" }, signal }),
  ]);
  const yesterday = dateOf(dayNumber(status.date) - 1);
  const isOpen = hasKey() || (await publicRecord(sport))?.public === "all";
  if (!isOpen) {
    return { sport, status, picks, isOpen, league: new Models(null, picks?.models_used), yesterday, played: [] };
  }
  // A season without games of that date refuses the date, so the newest games are asked for.
  const path = { sport, model_type: "won_on_points" };
  const [newest, league] = await Promise.all([
    getIfThere(RESULTS, { path, query: { limit: NEWEST }, signal }),
    modelsOf({ league: sport }, signal),
  ]);
  const played = newest?.results.filter((game) => game.date === yesterday) ?? [];
  return { sport, status, picks, isOpen, league, yesterday, played };
}

/**
 * @param {Context} context
 * @param {LeagueDay[]} days
 * @param {Child} contact How to get a key, if there is none.
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
    section("Where model and market differ most", gaps(context.address, published)),
    section("Last night", ...nightsOf(context, published, contact)),
  ];
}

/**
 * @param {Context} context
 * @param {LeagueDay[]} days
 * @param {Child} contact
 */
function nightsOf({ address }, days, contact) {
  const open = days.filter(({ isOpen }) => isOpen);
  return [open.length > 0 && lastNight(address, open), open.length < days.length && needsKey(contact)];
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
      element("small", {}, [oddsOf(status), marketsOf(status)].filter(Boolean).join(" · ")),
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
