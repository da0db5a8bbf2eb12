// A grid of a model's probability against the market's: how often the model's pick won.

import { element } from "../dom.js";
import { count, share } from "../format.js";

/** @import { Answer } from "../api.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}/density">["current"]} Grid */

/** The number of games below which a cell is displayed pale. */
const FEW = 10;
/** The number of colour steps on either side of one half, five points each. */
const STEPS = 4;

/**
 * @param {string} title
 * @param {string} model The display name of the model.
 * @param {Grid} grid
 * @param {number} width The width of a bin.
 */
export function heatMap(title, model, { cells, games, seasons }, width) {
  if (cells.length === 0) {
    return element("p", { class: "empty" }, `${title}: there are no games with a pick of ${model} and both prices.`);
  }
  const bins = (/** @type {number[]} */ values) => [...new Set(values)].sort((a, b) => a - b);
  const columns = bins(cells.map((cell) => cell.implied));
  const rows = bins(cells.map((cell) => cell.blend)).reverse();
  const found = (/** @type {number} */ blend, /** @type {number} */ implied) =>
    cells.find((cell) => cell.blend === blend && cell.implied === implied);
  const range = (/** @type {number} */ from) => `${Math.round(from * 100)}–${Math.round((from + width) * 100)}`;
  const body = rows.map((blend) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, range(blend)),
      ...columns.map((implied) => {
        const cell = found(blend, implied);
        if (!cell) {
          return element("td", {});
        }
        const step = Math.max(-STEPS, Math.min(STEPS, Math.round(((cell.win_pct ?? 0.5) - 0.5) / width)));
        const attributes = { "data-heat": step, class: cell.games < FEW ? "thin" : null };
        return element(
          "td",
          attributes,
          element("span", {}, share(cell.win_pct)),
          element("small", {}, count(cell.games)),
        );
      }),
    ),
  );
  const caption = `${title}: ${count(games)} games, ${seasons.length > 1 ? `${seasons.at(-1)} to ${seasons[0]}` : (seasons[0] ?? "no season")}`;
  const heads = element(
    "tr",
    {},
    element("th", { scope: "col" }, `${model} % \\ Market %`),
    ...columns.map((implied) => element("th", { scope: "col" }, range(implied))),
  );
  return element(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    element(
      "table",
      { class: "heat" },
      element("caption", {}, caption),
      element("thead", {}, heads),
      element("tbody", {}, body),
    ),
  );
}
