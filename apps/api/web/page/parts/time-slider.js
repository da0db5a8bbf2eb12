// A slider over the instants of a plot, which also a pointer or a finger on the plot moves.

import { element } from "../dom.js";

/**
 * @typedef {object} Readable
 * @property {string} id Names the slider among all of the page.
 * @property {string} name What is read, in words.
 * @property {SVGElement} plot
 * @property {number[]} places The places of the points along the axis, in percent of it, in order.
 * @property {number} at The point that is read first.
 * @property {(index: number) => string} tell Shows a point; returns its place in words, such as its time.
 * @property {(index: number) => string} spoken Returns all values of a point in words.
 */

/** @param {Readable} content */
export function timeSlider({ id, name, plot, places, at, tell, spoken }) {
  const output = element("output", { class: "at" });
  const slider = element("input", {
    id,
    type: "range",
    min: 0,
    max: Math.max(0, places.length - 1),
    value: at,
    "aria-label": name,
  });
  const read = (/** @type {number} */ index) => {
    slider.value = String(index);
    output.textContent = tell(index);
    slider.setAttribute("aria-valuetext", spoken(index));
  };
  const point = (/** @type {PointerEvent} */ { clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    read(heldAt(places, ((clientX - left) / width) * 100));
  };
  read(at);
  slider.addEventListener("input", () => read(Number(slider.value)));
  plot.addEventListener("pointerdown", point);
  plot.addEventListener("pointermove", point);
  return element("div", { class: "slider" }, slider, output);
}

/**
 * Returns the last point at or before a place: what it began holds there. Before the first point it is the first.
 * @param {number[]} places
 * @param {number} place
 */
function heldAt(places, place) {
  return Math.max(
    0,
    places.findLastIndex((one) => one <= place),
  );
}
