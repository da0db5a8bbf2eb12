// Releases and changes of status as they happen. The stream is open to everybody, so no key is sent.

import { ROOT } from "./api.js";

/** @import { Release } from "./parts/moments.js" */
/** @import { League } from "./words.js" */
/** @typedef {Release & { sport: League }} LiveRelease */
/**
 * @typedef {object} Listener
 * @property {(release: LiveRelease) => void} [onRelease]
 * @property {() => void} [onStatus] A status changed, or the stream began anew after a gap.
 */

/**
 * Follows leagues until the view is left. A server or a proxy without the stream leaves the view to its requests at an
 * interval.
 * @param {readonly League[]} leagues
 * @param {AbortSignal} signal
 * @param {Listener} listener
 */
export function follow(leagues, signal, { onRelease, onStatus }) {
  if (signal.aborted || leagues.length === 0) {
    return;
  }
  const address = new URL("api/v1/stream", ROOT);
  address.searchParams.set("sport", leagues.join());
  const stream = new EventSource(address);
  stream.addEventListener("release", ({ data }) => onRelease?.(JSON.parse(data)));
  stream.addEventListener("status", () => onStatus?.());
  stream.addEventListener("reset", () => onStatus?.());
  signal.addEventListener("abort", () => stream.close());
}
