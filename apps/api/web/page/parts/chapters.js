// Chapters of a long view: all of them in a wide window; in a narrow one the chosen one, by a bar of chips.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { element, part } from "../dom.js";
import { NARROW } from "./table.js";

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
 * @param {Address} address
 * @param {Chapter[]} all
 */
export function chapters({ options }, all) {
  const there = all.filter(({ content }) => content.some(Boolean));
  const figure = options.get("figure");
  const named = figure
    ? there.find(({ figures }) => figures.some((begins) => figure.startsWith(begins)))?.id
    : undefined;
  return there.length > 0 ? part(Chapters, { all: there, named, figure }) : null;
}

/**
 * The chapter with the figure of the address is chosen when the address gets it; without one, the chosen one stays.
 * @param {{ all: Chapter[], named: string | undefined, figure: string | null }} content
 */
function Chapters({ all, named, figure }) {
  const chosen = useSignal(named);
  const followed = useRef(figure);
  if (followed.current !== figure) {
    followed.current = figure;
    chosen.value = named ?? chosen.peek();
  }
  const current = all.find(({ id }) => id === chosen.value) ?? all[0];
  const buttons = all.map(({ id, name }) =>
    element(
      "button",
      {
        type: "button",
        id: `chip-${id}`,
        "aria-pressed": String(id === current.id),
        on: { click: () => (chosen.value = id) },
      },
      name,
    ),
  );
  return [
    element("div", { class: "chips", role: "group", "aria-label": "Parts of this view" }, buttons),
    ...all.map(({ id, content }) =>
      element("div", { class: id === current.id ? "chapter chosen" : "chapter", id: `chapter-${id}` }, content),
    ),
  ];
}

/**
 * Builds a part that is folded at first in a narrow window, and always open in a wide one.
 * @param {string} name
 * @param {Child} content
 */
export function foldedWhenNarrow(name, content) {
  return part(FoldedWhenNarrow, { name, content });
}

/** @param {{ name: string, content: Child }} content */
function FoldedWhenNarrow({ name, content }) {
  const isOpen = useSignal(!narrow.matches);
  useEffect(() => {
    const fit = () => (isOpen.value = !narrow.matches);
    narrow.addEventListener("change", fit);
    return () => narrow.removeEventListener("change", fit);
  }, [isOpen]);
  const toggle = (/** @type {Event} */ { currentTarget }) => {
    isOpen.value = /** @type {HTMLDetailsElement} */ (currentTarget).open;
  };
  return element(
    "details",
    { class: "fold", open: isOpen.value, on: { toggle } },
    element("summary", {}, name),
    content,
  );
}

const narrow = matchMedia(NARROW);
