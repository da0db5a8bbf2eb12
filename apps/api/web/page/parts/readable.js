// The reading of drawings: a pointer that hovers, taps or drags, or an arrow key, reads the mark that it is at.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { element, part } from "../dom.js";

/** @import { Child } from "../dom.js" */

/**
 * Returns listeners to each pointer on a plot, as it hovers, taps or drags.
 * @param {(event: PointerEvent & { currentTarget: Element }) => void} read
 */
export function onPointer(read) {
  // A tap of a finger moves nothing, so it is heard by itself.
  return { pointermove: read, pointerdown: read };
}

/** What can be read: a mark with a title, and the row of a chart, which has its marks in words. */
const READ = "svg title, svg.track[aria-label]";

/** Returns the marks of a drawing; rows whose marks have titles are no marks. @param {Element} drawing */
function marksOf(drawing) {
  return [...drawing.querySelectorAll(READ)].flatMap((found) => {
    if (found.matches(".track")) {
      return found.querySelector("title") ? [] : found;
    }
    return found.parentNode instanceof Element ? found.parentNode : [];
  });
}

/** Returns the words of a mark. @param {Element | undefined} mark */
function wordsOf(mark) {
  return mark?.querySelector("title")?.textContent ?? mark?.getAttribute("aria-label") ?? "";
}

/** A finger is this many pixels off its mark, or nearer. */
const NEAR = 40;

/** The class of the mark that is read. */
const SHOWN = "read";

/**
 * Makes the marks of a drawing readable, in their order. A drawing without marks stays what it is.
 * @param {string} name What the drawing shows.
 * @param {Child} drawing
 * @param {{ along?: boolean }} [options] True if a mark is meant at any height of its place along the axis.
 */
export function readable(name, drawing, { along = false } = {}) {
  return part(Readable, { name, drawing, along });
}

/** @param {{ name: string, drawing: Child, along: boolean }} content */
function Readable({ name, drawing, along }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const words = useSignal("");
  const canBeRead = useSignal(false);
  const marks = () => (place.current ? marksOf(place.current) : []);
  const show = (/** @type {Element | undefined} */ mark) => {
    place.current?.querySelector(`.${SHOWN}`)?.classList.remove(SHOWN);
    mark?.classList.add(SHOWN);
    words.value = wordsOf(mark);
  };
  // What is drawn may have got its marks, or other ones, since the last time.
  useLayoutEffect(() => {
    const all = marks();
    // A drawing with a part that is readable by itself is not readable as a whole.
    canBeRead.value = all.length > 0 && !place.current?.querySelector(".readable");
    words.value = wordsOf(all.find((mark) => mark.classList.contains(SHOWN)));
  });
  if (!canBeRead.value) {
    return element("div", { ref: place }, drawing);
  }
  const read = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const distances = marks().map((mark) => ({ mark, distance: distanceOf(mark, clientX, clientY, along) }));
    const [nearest] = distances.toSorted((one, other) => one.distance - other.distance);
    show(nearest && (along || nearest.distance < NEAR) ? nearest.mark : undefined);
  };
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = marks();
    if (move && all.length > 0 && event.target === place.current) {
      event.preventDefault();
      const shown = all.findIndex((mark) => mark.classList.contains(SHOWN));
      const from = shown >= 0 ? shown : move > 0 ? -1 : all.length;
      show(all[Math.max(0, Math.min(all.length - 1, from + move))]);
    }
  };
  const attributes = {
    class: "readable",
    role: "group",
    tabindex: "0",
    "aria-label": `${name}: the arrow keys read it`,
  };
  return element(
    "div",
    { ...attributes, ref: place, on: { ...onPointer(read), keydown } },
    drawing,
    element("output", { class: "at" }, words),
  );
}

/**
 * Returns the distance of a point from a mark in pixels, or its horizontal part.
 * @param {Element} mark
 * @param {number} x
 * @param {number} y
 * @param {boolean} along
 */
function distanceOf(mark, x, y, along) {
  const { left, right, top, bottom } = mark.getBoundingClientRect();
  const across = Math.max(left - x, 0, x - right);
  return along ? across : Math.hypot(across, Math.max(top - y, 0, y - bottom));
}
