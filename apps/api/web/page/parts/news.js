// The notice of a release that landed while somebody looks at an earlier slate.

import { get, getIfThere } from "../api.js";
import { easternTime } from "../clock.js";
import { byId, element } from "../dom.js";
import { counted, start } from "../format.js";
import { key } from "../key.js";

/** @import { Address } from "../address.js" */
/** @import { Part } from "../dom.js" */
/** @import { LeagueStatus } from "./status.js" */
/** @import { League } from "../words.js" */

/**
 * Returns what a league serves as a text: it changes with each release that changes a slate.
 * @param {LeagueStatus} status
 */
export function servedBy({ markets, odds }) {
  const ofMarkets = Object.values(markets).map(({ release_id: release, predictions }) => [release, predictions]);
  return JSON.stringify([ofMarkets, odds]);
}

/**
 * Builds the notice of the newest release.
 * @param {Part | null} told The notice that is there, which stays if it is of that release.
 * @param {Address} address
 * @param {number | null} shown The generation of the slate that is shown, if it is known.
 * @param {AbortSignal} signal
 * @param {() => void} apply Shows the release.
 */
export async function newsOf(told, { league: sport }, shown, signal, apply) {
  const page = await getIfThere("/api/v1/releases/{sport}", { path: { sport }, query: { limit: 1 }, signal });
  const newest = page?.releases[0];
  if (!newest || told?.key === newest.generation) {
    return told;
  }
  const moved = shown === null || key() === null ? null : await movedSince(sport, shown, signal).catch(() => null);
  const lines = moved === 0 ? "no line moved" : moved !== null && `lines of ${counted(moved, "game")} moved`;
  const time = start(easternTime(Date.parse(newest.published_at)).slice(11));
  const click = () => {
    byId("title").focus();
    apply();
  };
  const button = element("button", { type: "button", id: "show-release", on: { click } }, "Show it");
  const text = `New: ${[`${time} release`, lines].filter(Boolean).join(", ")}.`;
  const attributes = { class: "notice news", key: newest.generation, "data-release": newest.generation };
  return element("p", attributes, text, " ", button);
}

/**
 * Returns the number of games whose lines moved since a generation.
 * @param {League} sport
 * @param {number} after_generation
 * @param {AbortSignal} signal
 */
async function movedSince(sport, after_generation, signal) {
  const { moves } = await get("/api/v1/odds/{sport}/moves", { path: { sport }, query: { after_generation }, signal });
  return new Set(moves.filter(({ change }) => change === "moved").map((move) => move.game_id)).size;
}
