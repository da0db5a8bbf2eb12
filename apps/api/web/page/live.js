// Releases and changes of status as they happen. The stream is open to everybody, so no key is sent.

import { ROOT } from "./api.js";

/** @import { Release } from "./parts/moments.js" */
/** @import { League } from "./words.js" */
/** @typedef {Release & { sport: League }} LiveRelease */
/**
 * @typedef {object} Listener
 * @property {(release: LiveRelease) => void} [onRelease]
 * @property {() => void} [onStatus] A status may have changed.
 */

/** The milliseconds that a view is looked at before it opens a stream, of which an address has few. */
const SETTLED = 3_000;

/**
 * Follows leagues until the view is left. A server or a proxy without the stream leaves the view to its requests at an
 * interval.
 * @param {readonly League[]} leagues
 * @param {AbortSignal} signal
 * @param {Listener} listener
 */
export function follow(leagues, signal, { onRelease, onStatus }) {
  const open = () => {
    const address = new URL("api/v1/stream", ROOT);
    address.searchParams.set("sport", leagues.join());
    const stream = new EventSource(address);
    stream.addEventListener("release", ({ data }) => onRelease?.(JSON.parse(data)));
    // What changed before the stream was there is asked for at its beginning.
    ["hello", "status", "reset"].forEach((event) => stream.addEventListener(event, () => onStatus?.()));
    signal.addEventListener("abort", () => stream.close());
  };
  if (!signal.aborted && leagues.length > 0) {
    const timer = setTimeout(open, SETTLED);
    signal.addEventListener("abort", () => clearTimeout(timer));
  }
}
