// The server's description of itself, requested once.

import { get } from "./api.js";
import { LEAGUES } from "./words.js";

/** @import { Answer } from "./api.js" */
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
