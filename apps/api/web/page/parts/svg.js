// Axes of drawings. Positions along an axis are percentages, so a drawing fits any width without being redrawn.

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
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // The product of whole numbers, rounded: a sum of steps would drift.
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/**
 * Returns the range of values, widened to round ones.
 * @param {number[]} values
 * @param {number} wanted The number of steps, about.
 * @returns {[number, number]}
 */
export function roundRange(values, wanted) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const around = /** @type {[number, number]} */ (low === high ? [low - 1, high + 1] : [low, high]);
  const [first, second] = roundValues([around[0], around[1] + (around[1] - around[0]) * 2], wanted * 3);
  const step = second - first;
  return [Math.floor(around[0] / step + 1e-9) * step, Math.ceil(around[1] / step - 1e-9) * step];
}
