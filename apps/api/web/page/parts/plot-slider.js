// A slider over the points of a plot, which also a pointer or a finger on the plot moves.

import { element } from "../dom.js";
import { onPointer } from "./readable.js";

/**
 * @typedef {object} Readable
 * @property {string} [id] Names the slider among all of the page.
 * @property {string} name What is read, in words.
 * @property {SVGElement} plot
 * @property {number} last The number of the last point.
 * @property {number} at The point that is read first.
 * @property {(part: number) => number} pointAt Returns the point that is meant at a part of the plot's width.
 * @property {(index: number) => string} tell Shows a point; returns its place in words, such as its time.
 * @property {(index: number) => string} spoken Returns all values of a point in words.
 */

/** @param {Readable} content */
export function plotSlider({ id, name, plot, last, at, pointAt, tell, spoken }) {
  const output = element("output", { class: "at" });
  const slider = element("input", { id, type: "range", min: 0, max: last, value: at, "aria-label": name });
  const read = (/** @type {number} */ index) => {
    slider.value = String(index);
    output.textContent = tell(index);
    slider.setAttribute("aria-valuetext", spoken(index));
  };
  read(at);
  slider.addEventListener("input", () => read(Number(slider.value)));
  onPointer(plot, ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    read(pointAt((clientX - left) / width));
  });
  return element("div", { class: "slider" }, slider, output);
}
