// The reading of drawings: a pointer that hovers, taps or drags, or an arrow key, reads the mark that it is at.

import { element } from "../dom.js";

/**
 * Calls a function with the place of each pointer on a plot, as it hovers, taps or drags.
 * @param {Element} plot
 * @param {(event: PointerEvent) => void} read
 */
export function onPointer(plot, read) {
  // A tap of a finger moves nothing, so it is heard by itself.
  for (const name of ["pointermove", "pointerdown"]) {
    plot.addEventListener(name, (event) => read(/** @type {PointerEvent} */ (event)));
  }
}

/** What can be read: a mark with a title, and the row of a chart, which has its marks in words. */
const READ = "svg title, svg.track[aria-label]";

/** Returns whether a part of a figure has something to read. @param {Element} part */
export function canBeRead(part) {
  return part.querySelector(READ) !== null;
}

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

/**
 * Makes the marks of a drawing readable, in their order.
 * @param {string} name What the drawing shows.
 * @param {Element} drawing
 * @param {{ along?: boolean }} [options] True if a mark is meant at any height of its place along the axis.
 */
export function readable(name, drawing, { along = false } = {}) {
  const output = element("output", { class: "at" });
  const marks = () => marksOf(drawing);
  /** @type {Element | undefined} */
  let shown;
  const show = (/** @type {Element | undefined} */ mark) => {
    if (mark !== shown) {
      shown?.classList.remove("read");
      mark?.classList.add("read");
      shown = mark;
      output.textContent = wordsOf(mark);
    }
  };
  onPointer(drawing, ({ clientX, clientY }) => {
    const distances = marks().map((mark) => ({ mark, distance: distanceOf(mark, clientX, clientY, along) }));
    const [nearest] = distances.toSorted((one, other) => one.distance - other.distance);
    show(nearest && (along || nearest.distance < NEAR) ? nearest.mark : undefined);
  });
  const step = (/** @type {Event} */ event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    const all = marks();
    if (move && all.length > 0 && event.target === place) {
      event.preventDefault();
      const from = shown ? all.indexOf(shown) : move > 0 ? -1 : all.length;
      show(all[Math.max(0, Math.min(all.length - 1, from + move))]);
    }
  };
  const label = `${name}: the arrow keys read it`;
  const attributes = { class: "readable", role: "group", tabindex: "0", "aria-label": label, on: { keydown: step } };
  const place = element("div", attributes, drawing, output);
  return place;
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
