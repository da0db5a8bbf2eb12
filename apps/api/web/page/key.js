// The key, for as long as the tab is open. It is sent as a header, and nowhere else.

import { isEmbed } from "./embed.js";

const PLACE = "api-key";

/** @typedef {() => void} Listener */

/** @type {{ changed: Listener[], refused: Listener[] }} */
const listeners = { changed: [], refused: [] };

/** @type {string | null} */
let refused = null;

/** Returns the key; null without one, and on a page of somebody else. */
export function key() {
  return isEmbed() ? null : sessionStorage.getItem(PLACE);
}

/**
 * Keeps a key in this tab; null removes it.
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

/** The server's reason for the refusal. */
let refusedFor = "";

/**
 * Marks a key as refused by the server.
 * @param {string} value
 * @param {string} detail The server's reason.
 */
export function refuse(value, detail) {
  [refused, refusedFor] = [value, detail];
  listeners.refused.forEach((listener) => listener());
}

/** Returns whether the server has refused the key. */
export function isRefused() {
  return refused !== null && refused === key();
}

/** Returns the server's reason for the refusal of the key. */
export function reason() {
  return refusedFor;
}

/** Returns whether there is a key that the server has not refused. */
export function hasKey() {
  return key() !== null && !isRefused();
}

/**
 * Registers a listener for changes and the removal of the key.
 * @param {Listener} listener
 */
export function onChange(listener) {
  listeners.changed.push(listener);
}

/**
 * Registers a listener for a refusal of the key.
 * @param {Listener} listener
 */
export function onRefusal(listener) {
  listeners.refused.push(listener);
}
