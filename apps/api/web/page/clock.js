// The time as the server has it: a demo can live on another day than the machine that shows it.

import { get } from "./api.js";

let ahead = 0;

/** Compares the server's clock with ours. */
export async function synchronize() {
  const { timestamp } = await get("/api/v1/liveness");
  ahead = Date.parse(timestamp) - Date.now();
}

/** The server's time in milliseconds. */
export function now() {
  return Date.now() + ahead;
}

const eastern = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/New_York",
  dateStyle: "short",
  timeStyle: "medium",
});

/**
 * Whether a game has started. Dates and times of games are Eastern, and so compare as texts.
 * @param {{ date: string, time?: string | null }} game
 */
export function hasStarted({ date, time }) {
  return Boolean(time) && `${date} ${time}` <= eastern.format(now());
}

/**
 * Does something every so often, until the view is left.
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @param {() => void} work
 */
export function every(milliseconds, signal, work) {
  const timer = setInterval(() => {
    if (document.visibilityState === "visible") {
      work();
    }
  }, milliseconds);
  signal.addEventListener("abort", () => clearInterval(timer));
}
