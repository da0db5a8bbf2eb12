// The league that leads the page: the one of an address that names none.

import { easternTime, now } from "../clock.js";
import { hasKey } from "../key.js";
import { openLeagues } from "../site.js";

/** @import { League } from "../words.js" */

/**
 * The months in which a league plays, from the first to the last; a short season leads before a long one.
 * @type {[League, number, number][]}
 */
const SEASONS = [
  ["nfl", 9, 2],
  ["ncaaf", 8, 1],
  ["ncaab", 11, 4],
  ["nba", 10, 6],
  ["nhl", 10, 6],
  ["mlb", 3, 10],
];

/**
 * Returns the league to begin with: one that can be read without a key, if there is no key, and one that plays in this month.
 * @param {readonly League[]} leagues The leagues with data.
 * @returns {Promise<League | undefined>}
 */
export async function leadingLeague(leagues) {
  const open = hasKey() ? [] : (await openLeagues()).map(({ sport }) => sport);
  const readable = leagues.filter((league) => open.includes(league));
  const candidates = readable.length > 0 ? readable : leagues;
  const month = Number(easternTime(now()).slice(5, 7));
  const playing = SEASONS.find(([league, first, last]) => candidates.includes(league) && isWithin(month, first, last));
  return playing?.[0] ?? candidates[0];
}

/**
 * @param {number} month
 * @param {number} first
 * @param {number} last
 */
function isWithin(month, first, last) {
  return first <= last ? first <= month && month <= last : month >= first || month <= last;
}
