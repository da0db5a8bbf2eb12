// The check of a league's newest entries in the browser: each names the hash of the one before.

import { getIfThere } from "../api.js";
import { followChain } from "../../verify/chain.js";

/**
 * @typedef {object} CheckedChain
 * @property {number} entries The number of entries that were checked, the newest ones.
 * @property {boolean} isWhole True if the first entry of all is among them.
 * @property {string} head The hash of the newest entry.
 * @property {boolean} isUnbroken
 * @property {boolean} simulated
 */

/** The number of entries of one answer. */
const NEWEST = 50;

/**
 * Requests the newest entries of a league, and checks that they are one chain up to the head; null if nothing was published.
 * @param {string} sport
 * @param {AbortSignal} signal
 * @returns {Promise<CheckedChain | null>}
 */
export async function checkNewestEntries(sport, signal) {
  const path = { sport };
  const answer = await getIfThere("/api/v1/releases/{sport}", { path, query: { limit: NEWEST }, signal });
  const releases = answer?.releases ?? [];
  if (!answer || releases.length === 0) {
    return null;
  }
  const { head, simulated } = answer;
  const isWhole = releases[releases.length - 1].previous === null;
  return {
    entries: releases.length,
    isWhole,
    head,
    isUnbroken: followChain(head, releases).fault === null,
    simulated,
  };
}
