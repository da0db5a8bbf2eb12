// The scores of every model's probabilities, beside the market's.

import { element } from "../dom.js";
import { count, gain, interval, score } from "../format.js";
import { marketVerdict, scoredForecasts } from "../words.js";
import { table } from "./table.js";

/** @import { Models } from "../models.js" */
/** @import { ModelCalibration, Source } from "./reliability.js" */
/** @import { Column } from "./table.js" */

/** @type {Column[]} */
const COLUMNS = [
  { head: "Model" },
  { head: "Games", number: true },
  {
    head: "Brier score",
    number: true,
    brief: true,
    hint: "The mean squared difference of probabilities from what happened: less is better. One half for every game scores 0.25.",
  },
  { head: "Market's", number: true, hint: "The Brier score of the market, over the games with both." },
  {
    head: "Skill",
    number: true,
    hint: "How much lower than the market's the score is, as a part of the market's: above zero is better than the market.",
  },
  {
    head: "Difference",
    number: true,
    hint: "The model's score less the market's: below zero is better than the market. Small: the 95\u00a0% interval.",
  },
  {
    head: "p (Holm)",
    number: true,
    hint: "How likely a difference as large is by luck alone, corrected (after Holm) for how many models are asked about.",
  },
  { head: "Verdict", line: true, brief: true },
];

/** @type {Column} */
const MISSING = {
  head: "No forecast then",
  number: true,
  hint: "Games of the standing forecasts in which the model had no probability at that time: not forecast yet, or dropped by a later file.",
};

/**
 * Builds the table of every model's scores, beside those of the market over the same games.
 * @param {Source} source
 * @param {Models} league
 */
export function scoreTable(source, league) {
  const { forecast_source: name, models } = source;
  const countsMissing = models.some((model) => model.no_forecast_then !== undefined);
  const rows = models.map((model) => {
    const { cells, values } = figuresOf(model, league);
    const missing = model.no_forecast_then;
    return {
      id: `scores-${name}-${model.model}`,
      cells: countsMissing ? [...cells, count(missing)] : cells,
      values: countsMissing ? [...values, missing] : values,
      detail: () => element("p", { class: "detail" }, model.verdict_in_words),
    };
  });
  const columns = countsMissing ? [...COLUMNS, MISSING] : COLUMNS;
  return table({ caption: `Every model: forecasts ${scoredForecasts(source)}`, columns, rows });
}

/**
 * Returns the cells of a model, and their figures.
 * @param {ModelCalibration} of
 * @param {Models} league
 */
function figuresOf({ model, games, brier, market, verdict }, league) {
  return {
    cells: [
      league.label(model),
      count(games),
      score(brier),
      score(market.implied.brier),
      gain(market.skill),
      element("span", {}, score(market.brier.difference), " ", betweenOf(market.brier)),
      score(market.brier.p_holm),
      marketVerdict(verdict),
    ],
    values: [
      model,
      games,
      brier,
      market.implied.brier,
      market.skill,
      market.brier.difference,
      market.brier.p_holm,
      marketVerdict(verdict),
    ],
  };
}

/** @param {{ low: number | null, high: number | null }} difference */
function betweenOf({ low, high }) {
  return low !== null && element("small", {}, interval(low, high, score));
}
