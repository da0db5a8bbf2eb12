// The key, for as long as the tab is open. It is sent as a header, and nowhere else.

const PLACE = "api-key";

/** @typedef {() => void} Listener */

/** @type {{ changed: Listener[], refused: Listener[] }} */
const listeners = { changed: [], refused: [] };

/** @type {string | null} */
let refused = null;

/** @returns {string | null} */
export function key() {
  return sessionStorage.getItem(PLACE);
}

/**
 * Keeps a key in this tab; null forgets it.
 * @param {string | null} value
 */
export function keep(value) {
  if (value === null) {
    sessionStorage.removeItem(PLACE);
  } else {
    sessionStorage.setItem(PLACE, value);
  }
  listeners.changed.forEach((listener) => listener());
}

/**
 * Notes that the server does not accept a key.
 * @param {string | null} value
 */
export function refuse(value) {
  refused = value;
  listeners.refused.forEach((listener) => listener());
}

/** Whether the key is one that the server did not accept. */
export function isRefused() {
  return refused !== null && refused === key();
}

/**
 * Calls back whenever there is another key, or none any more.
 * @param {Listener} listener
 */
export function onChange(listener) {
  listeners.changed.push(listener);
}

/**
 * Calls back when the server does not accept the key.
 * @param {Listener} listener
 */
export function onRefusal(listener) {
  listeners.refused.push(listener);
}
