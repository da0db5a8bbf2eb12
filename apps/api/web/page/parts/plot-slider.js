// A plot with a slider over its points, which also a pointer or a finger on the plot moves.

import { useSignal } from "@preact/signals";
import { element, fieldOf, part } from "../dom.js";
import { onPointer } from "./readable.js";

/** @import { Child, Children } from "../dom.js" */
/**
 * @typedef {object} Readable
 * @property {string} [id] Names the slider among all of the page.
 * @property {string} name What is read, in words.
 * @property {string} [of] What the points are of: those of something else begin at their first one again.
 * @property {number} last The number of the last point.
 * @property {number} at The point that is read first.
 * @property {(part: number) => number} pointAt Returns the point that is meant at a part of the plot's width.
 * @property {(index: number) => string} placeAt Returns the place of a point in words, such as its time.
 * @property {(index: number) => string} spoken Returns all values of a point in words.
 * @property {(index: number, onPlot: Record<string, (event: any) => void>, slider: Child) => Children} draw Draws what shows a
 *   point: `onPlot` are the listeners of the plot, and the slider has its place in the drawing.
 */

/** @param {Readable} content */
export function plotSlider(content) {
  const { id, name, of = "" } = content;
  return part(PlotSlider, { ...content, key: `${id ?? name} ${of}` });
}

/** @param {Readable} content */
function PlotSlider({ id, name, last, at, pointAt, placeAt, spoken, draw }) {
  /** The point that a person has chosen; null for the first one. */
  const chosen = useSignal(/** @type {number | null} */ (null));
  const index = Math.min(chosen.value ?? at, last);
  const onPlot = onPointer(({ clientX, currentTarget }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    chosen.value = pointAt((clientX - left) / width);
  });
  const input = (/** @type {Event} */ event) => {
    chosen.value = Number(fieldOf(event).value);
  };
  const slider = element(
    "div",
    { class: "slider" },
    element("input", {
      ...{ id, type: "range", min: 0, max: last, value: index },
      ...{ "aria-label": name, "aria-valuetext": spoken(index), on: { input } },
    }),
    element("output", { class: "at" }, placeAt(index)),
  );
  return draw(index, onPlot, slider);
}
