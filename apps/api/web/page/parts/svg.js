// Axes of drawings. Positions along an axis are percentages, so a drawing fits any width without being redrawn.

import { nice, ticks } from "d3-array";

/** @typedef {{ at: number, text: string }} Tick */

/**
 * Returns the place of values on an axis, as percentages of its length.
 * @param {[number, number]} range
 * @returns {(value: number) => number}
 */
export function placeOn([low, high]) {
  const length = high - low || 1;
  return (value) => Math.round(((value - low) / length) * 100_000) / 1000;
}

/**
 * Returns round values within a range, about as many as wanted.
 * @param {[number, number]} range
 * @param {number} wanted
 */
export function roundValues([low, high], wanted) {
  return ticks(low, high, wanted);
}

/**
 * Returns the range of values, widened to round ones.
 * @param {number[]} values
 * @param {number} wanted The number of steps, about.
 * @returns {[number, number]}
 */
export function roundRange(values, wanted) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? nice(low - 1, high + 1, wanted) : nice(low, high, wanted);
}
