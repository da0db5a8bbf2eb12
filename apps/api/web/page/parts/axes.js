// The axes of a plot: lines across it at round values, and their texts outside.

import { svg } from "../dom.js";

/** @import { Tick } from "./svg.js" */

/**
 * @param {Tick[]} ticks
 * @param {(value: number) => number} across
 */
export function columns(ticks, across) {
  return ticks.flatMap(({ at, text }) => {
    const x = `${across(at)}%`;
    const label = svg("text", { y: 20, "text-anchor": "middle" }, text);
    return [
      svg("line", { class: "grid", x1: x, x2: x, y1: 0, y2: "100%" }),
      svg("svg", { x, y: "100%", overflow: "visible" }, label),
    ];
  });
}

/**
 * @param {Tick[]} ticks
 * @param {(value: number) => number} down
 * @param {number} [base] A neutral value, which has a stronger line.
 */
export function levels(ticks, down, base) {
  return ticks.flatMap(({ at, text }) => {
    const y = `${down(at)}%`;
    return [
      svg("line", { class: at === base ? "base" : "grid", x1: 0, x2: "100%", y1: y, y2: y }),
      svg("text", { x: -8, y, "text-anchor": "end", "dominant-baseline": "middle" }, text),
    ];
  });
}
