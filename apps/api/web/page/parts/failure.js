// The display of failures in a view, and retries.

import { signal as state } from "@preact/signals";
import { Refusal, Unreachable } from "../api.js";
import { every, now } from "../clock.js";
import { element, part } from "../dom.js";
import { ago, wait } from "../format.js";
import { keep } from "../key.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Children, Part } from "../dom.js" */

/** @type {Record<number, string>} */
const TITLES = {
  400: "This cannot be asked",
  401: "This key is not accepted",
  403: "This key has no access to this",
  404: "There is nothing here",
  409: "This season has just been updated",
  429: "Too many requests",
};

/** The time until a failed view is requested again. */
const RETRIED = 15_000;

/** The longest wait, in seconds, of a refused request that is repeated; a used-up month lasts longer. */
const SOON = 60;

/** @param {unknown} error */
export function isPassing(error) {
  if (error instanceof Refusal && error.status === 429) {
    return error.retryAfter !== null && error.retryAfter <= SOON;
  }
  return error instanceof Unreachable || (error instanceof Refusal && error.status >= 500);
}

/**
 * Returns the milliseconds until a retry: as the API states them, or else the given ones.
 * @param {unknown} error
 * @param {number} otherwise
 */
export function waitAfter(error, otherwise) {
  const seconds = error instanceof Refusal && isPassing(error) ? error.retryAfter : null;
  return seconds ? seconds * 1000 : otherwise;
}

/**
 * Retries once after a while, unless the view was left; returns the timer.
 * @param {AbortSignal} signal
 * @param {() => void} retry
 * @param {unknown} error
 */
export function retryLater(signal, retry, error) {
  const timer = setTimeout(retry, waitAfter(error, RETRIED));
  signal.addEventListener("abort", () => clearTimeout(timer));
  return timer;
}

/**
 * Describes a failure: its heading and its reason.
 * @param {unknown} error
 */
function described(error) {
  if (error instanceof Unreachable) {
    const text = "Nothing on this page is current until it does. It is asked again by itself.";
    return { title: "The server does not answer", text };
  }
  if (!(error instanceof Refusal)) {
    console.error(error);
    return { title: "This view failed", text: String(error) };
  }
  const title = TITLES[error.status] ?? "The server could not answer";
  const request = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : "";
  const again = error.retryAfter && error.status !== 401 ? ` Ask again ${wait(error.retryAfter)}.` : "";
  return { title, text: `${error.message}${request}.${again}` };
}

/**
 * @param {unknown} error
 * @param {() => void} retry
 */
export function failure(error, retry) {
  const { title, text } = described(error);
  if (error instanceof Refusal && error.status === 401) {
    const forget = { type: "button", id: "other-key", on: { click: () => keep(null) } };
    return notice(title, text, element("button", forget, "Use another key"));
  }
  return notice(title, text, element("button", { type: "button", id: "retry", on: { click: retry } }, "Try again"));
}

/**
 * Displays the failure of a part of a view.
 * @param {unknown} error
 * @param {() => void} retry
 */
export function trouble(error, retry) {
  const { title, text } = described(error);
  return element(
    "div",
    { class: "notice trouble", role: "status" },
    element("strong", {}, `${title}.`),
    ` ${text} `,
    element("button", { type: "button", on: { click: retry } }, "Try again"),
  );
}

/**
 * @param {string} title
 * @param {string} text
 * @param {Part} action
 */
function notice(title, text, action) {
  return element(
    "section",
    { class: "notice alert", role: "alert", id: "failure" },
    element("h2", {}, title),
    element("p", {}, text),
    action,
  );
}

/**
 * Displays a part that is requested at an interval, and the time since its last answer. It changes with the answer; without an
 * answer it stays, pale and below a notice.
 * @template T
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @param {() => Promise<T>} ask
 * @param {(answer: T) => Children} show
 * @param {(renew: () => Promise<void>) => void} [attend] Gets the way to request the part at once.
 */
export async function renewed(milliseconds, signal, ask, show, attend) {
  const answer = await ask();
  let shown = JSON.stringify(answer);
  let answered = now();
  const content = state(/** @type {Children} */ (show(answer)));
  const trouble = state(/** @type {unknown} */ (null));
  const since = state("");
  const tell = () => (since.value = `Checked ${ago(now() - answered)}.`);
  const display = (/** @type {T} */ next) => {
    const text = JSON.stringify(next);
    answered = now();
    trouble.value = null;
    if (text !== shown) {
      shown = text;
      content.value = show(next);
    }
  };
  let retry = 0;
  const report = (/** @type {unknown} */ error) => {
    if (signal.aborted) {
      return;
    }
    trouble.value = error;
    clearTimeout(retry);
    retry = retryLater(signal, renew, error);
  };
  let requested = 0;
  let newest = 0;
  const renew = async () => {
    const number = ++requested;
    // An answer that arrives after that of a later request is dropped.
    const isNewest = () => {
      newest = Math.max(newest, number);
      return newest === number;
    };
    try {
      const next = await ask();
      if (isNewest()) {
        display(next);
      }
    } catch (error) {
      if (isNewest()) {
        report(error);
      }
    }
    tell();
  };
  tell();
  every(1000, signal, tell);
  every(milliseconds, signal, renew);
  attend?.(renew);
  return part(Renewed, { content, trouble, since, renew });
}

/** @param {{ content: Signal<Children>, trouble: Signal<unknown>, since: Signal<string>, renew: () => Promise<void> }} renewed */
function Renewed({ content, trouble, since, renew }) {
  const error = trouble.value;
  return element(
    "div",
    {},
    element("div", {}, error !== null && failure(error, renew)),
    element("p", { class: "checked" }, since),
    element("div", { class: error === null ? "board" : "board old" }, content.value),
  );
}
