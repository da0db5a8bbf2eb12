// Chapters of a long view: all of them in a wide window; in a narrow one the chosen one, by a bar of chips.

import { element } from "../dom.js";

/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/**
 * @typedef {object} Chapter
 * @property {string} id
 * @property {string} name
 * @property {string[]} figures The beginnings of the ids of its figures.
 * @property {Child[]} content
 */

/**
 * The chosen chapter of each view, which stays when the view is rebuilt.
 * @type {Map<string, string>}
 */
const chosen = new Map();

/**
 * @param {Address} address
 * @param {Chapter[]} all
 */
export function chapters({ view, options }, all) {
  const there = all.filter(({ content }) => content.some(Boolean));
  const figure = options.get("figure");
  const named = figure && there.find(({ figures }) => figures.some((begins) => figure.startsWith(begins)));
  const first = named || there.find(({ id }) => id === chosen.get(view)) || there[0];
  const parts = there.map(({ id, content }) => element("div", { class: "chapter", id: `chapter-${id}` }, ...content));
  const buttons = there.map(({ id, name }) =>
    element("button", { type: "button", id: `chip-${id}`, on: { click: () => choose(id) } }, name),
  );
  const choose = (/** @type {string} */ wanted) => {
    chosen.set(view, wanted);
    there.forEach(({ id }, place) => {
      buttons[place].setAttribute("aria-pressed", String(id === wanted));
      parts[place].classList.toggle("chosen", id === wanted);
    });
  };
  if (first) {
    choose(first.id);
  }
  return [element("div", { class: "chips", role: "group", "aria-label": "Parts of this view" }, buttons), ...parts];
}

/**
 * Builds a part that is folded at first in a narrow window, and always open in a wide one.
 * @param {string} name
 * @param {Node} content
 */
export function foldedWhenNarrow(name, content) {
  const narrow = matchMedia("(max-width: 40rem)");
  const made = element("details", { class: "fold" }, element("summary", {}, name), content);
  const fit = () => (made.open = !narrow.matches);
  // A change of the window's width is rare, and a part that is gone has no say.
  const follow = () => (made.isConnected ? fit() : narrow.removeEventListener("change", follow));
  narrow.addEventListener("change", follow);
  fit();
  return made;
}
