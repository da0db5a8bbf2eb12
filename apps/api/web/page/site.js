// The server's description of itself, requested once; its leagues are requested anew with freshness.

import { get, getIfThere } from "./api.js";
import { every } from "./clock.js";
import { LEAGUES } from "./words.js";

/** @import { Answer } from "./api.js" */
/** @import { Context } from "./main.js" */
/** @import { League } from "./words.js" */
/** @typedef {Answer<"/">} Site */

/** @type {Promise<Site> | null} */
let asked = null;

/**
 * Returns the description; asks again after a failure.
 * @returns {Promise<Site>}
 */
export function site() {
  asked ??= get("/").catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

/**
 * Returns the leagues with data; all of them if the server does not answer.
 * @returns {Promise<readonly League[]>}
 */
export async function publishedLeagues() {
  const { leagues } = await site().catch(() => ({ leagues: LEAGUES }));
  return leagues;
}

/** @typedef {Answer<"/api/v1/public/leagues">["leagues"][number]} PublicLeague */

/** @type {Promise<PublicLeague[]> | null} */
let opened = null;

/**
 * Returns the leagues with an open record. A server of an earlier version has none.
 * @returns {Promise<PublicLeague[]>}
 */
export async function openLeagues() {
  opened ??= getIfThere("/api/v1/public/leagues").then((answer) => answer?.leagues ?? []);
  return opened.catch(() => {
    opened = null;
    return [];
  });
}

/**
 * Returns the open record of a league; null if it needs a key.
 * @param {League} sport
 * @returns {Promise<PublicLeague | null>}
 */
export async function publicRecord(sport) {
  const leagues = await openLeagues();
  return leagues.find((league) => league.sport === sport) ?? null;
}

/**
 * Requests the leagues with data at an interval, and rebuilds the view once they have changed.
 * @param {number} milliseconds
 * @param {Context} context
 */
export function followLeagues(milliseconds, { leagues, signal, again }) {
  every(milliseconds, signal, async () => {
    const newest = get("/", { signal });
    // If the server does not answer, the view reports it.
    const answer = await newest.catch(() => null);
    if (answer && answer.leagues.join() !== leagues.join()) {
      asked = newest;
      await again();
    }
  });
}
