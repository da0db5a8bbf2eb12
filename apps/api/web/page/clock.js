// The time of the server: a demo can have another date than the browser's machine.

import { get } from "./api.js";

let ahead = 0;

/** Measures the difference between the server's clock and the browser's. */
export async function synchronize() {
  const { timestamp } = await get("/api/v1/liveness");
  ahead = Date.parse(timestamp) - Date.now();
}

/** Returns the server's time in milliseconds. */
export function now() {
  return Date.now() + ahead;
}

const eastern = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/New_York",
  dateStyle: "short",
  timeStyle: "medium",
});

/**
 * Returns an instant as Eastern date and time: `2026-03-14 09:45:00`.
 * @param {number} instant
 */
export function easternTime(instant) {
  return eastern.format(instant);
}

/**
 * Returns whether a game has started. Dates and times of games are Eastern, so they can be compared as texts.
 * @param {{ date: string, time?: string | null }} game
 */
export function hasStarted({ date, time }) {
  return Boolean(time) && `${date} ${time}` <= easternTime(now());
}

/**
 * Runs a function at an interval, until the view is left.
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
