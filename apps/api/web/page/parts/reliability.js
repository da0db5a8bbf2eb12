// The reliability diagram: how often the forecast event happened, by forecast probability.

import { count, gain, interval, score, share } from "../format.js";
import { element } from "../dom.js";
import { forecastSource, marketVerdict, modelName } from "../words.js";
import { chart } from "./chart.js";
import { meanings, table } from "./table.js";
import { COMPARED } from "./tones.js";

/** @import { Answer } from "../api.js" */
/** @import { Models } from "../models.js" */
/** @import { Tone } from "./tones.js" */
/** @typedef {Answer<"/api/v1/calibration/{sport}/{model_type}">} Calibration */
/** @typedef {Calibration["sources"][number]["models"][number]} ModelCalibration */
/** @typedef {ModelCalibration["reliability_diagram"][number]} Block */

const SCORES = [
  ["Brier score", "Miscalibration less discrimination plus uncertainty. Less is better."],
  [
    "Miscalibration",
    "How much lower the score would be if each probability were the rate at which such forecasts came true. 0 is best; p is how likely as much is by luck alone.",
  ],
  ["Discrimination", "How much telling games apart takes off the score. More is better."],
  ["Uncertainty", "The score of giving every game the same rate: it depends on the games alone."],
];

/**
 * Builds the table of every model's scores, beside those of the market over the same games.
 * @param {Calibration["sources"][number]} source
 * @param {Models} league
 */
export function scoreTable({ forecast_source: source, models }, league) {
  const number = true;
  const columns = [
    { head: "Model" },
    { head: "Games", number },
    {
      head: "Brier score",
      number,
      hint: "The mean squared difference of probabilities from what happened: less is better. One half for every game scores 0.25.",
    },
    { head: "Market's", number, hint: "The Brier score of the market, over the games with both." },
    {
      head: "Skill",
      number,
      hint: "How much lower than the market's the score is, as a part of the market's: above zero is better than the market.",
    },
    {
      head: "Difference",
      number,
      hint: "The model's score less the market's: below zero is better than the market. Small: the 95\u00a0% interval.",
    },
    {
      head: "p (Holm)",
      number,
      hint: "How likely a difference as large is by luck alone, corrected (after Holm) for how many models are asked about.",
    },
    { head: "Verdict", line: true },
  ];
  const rows = models.map(({ model, games, brier, market, verdict, verdict_in_words: sentence }) => ({
    id: `scores-${source}-${model}`,
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
    detail: () => element("p", { class: "detail" }, sentence),
  }));
  return table({ caption: `Every model: forecasts ${forecastSource(source)}`, columns, rows });
}

/** @param {{ low: number | null, high: number | null }} difference */
function betweenOf({ low, high }) {
  return low !== null && element("small", {}, interval(low, high, score));
}

/**
 * Builds the diagrams of one model, one for each source of its forecasts.
 * @param {Calibration} calibration
 * @param {string} model
 * @param {Tone} tone The tone of the model.
 * @param {string} event The event of the probability.
 * @param {AbortSignal} signal
 */
export function reliability(calibration, model, tone, event, signal) {
  const diagrams = calibration.sources.flatMap(({ forecast_source: source, models }) => {
    const found = models.find((one) => one.model === model);
    return found && found.reliability_diagram.length > 0 ? [diagram(found, tone, source, event, signal)] : [];
  });
  return diagrams.length > 0
    ? diagrams
    : [element("p", { class: "empty" }, `There are no graded forecasts of ${modelName(model)} to draw a diagram of.`)];
}

/**
 * @param {ModelCalibration} found
 * @param {Tone} tone
 * @param {string} source
 * @param {string} event
 * @param {AbortSignal} signal
 */
function diagram(
  { model, games, brier, corp, reliability_diagram: blocks, verdict_in_words: verdict },
  tone,
  source,
  event,
  signal,
) {
  // A block extends from its lowest to its highest forecast.
  const corners = blocks.flatMap((block) =>
    block.p_min === block.p_max
      ? [{ p: block.p_min, block }]
      : [
          { p: block.p_min, block },
          { p: block.p_max, block },
        ],
  );
  const along = (/** @type {(block: Block) => number} */ value) => corners.map(({ block }) => value(block));
  const edge = { tone: "average", dash: [] };
  const drawn = chart({
    title: `Reliability of ${modelName(model)}: forecasts ${forecastSource(source)}`,
    note: `How often ${event}, by the forecast probability that it does. On the dashed line forecasts are right; inside the band the difference could be luck.`,
    x: {
      name: "Forecast",
      values: corners.map(({ p }) => p),
      point: (index) => `forecast ${share(corners[index].p)}, ${count(corners[index].block.games)} games`,
      axis: share,
    },
    y: { write: share, range: [0, 1] },
    lines: [
      { name: "Happened", ...tone, values: along((block) => block.rate) },
      { name: "As forecast", tone: "implied", dash: COMPARED, values: corners.map(({ p }) => p) },
      { name: "Band, upper end", ...edge, values: along((block) => block.band_high), quiet: true },
      { name: "Band, lower end", ...edge, values: along((block) => block.band_low), quiet: true },
    ],
    bands: [[2, 3]],
    signal,
  });
  const scores = [
    `${count(games)} games`,
    `Brier score ${score(brier)}`,
    `miscalibration ${score(corp.mcb)} (p ${score(corp.mcb_p)})`,
    `discrimination ${score(corp.dsc)}`,
    `uncertainty ${score(corp.unc)}`,
  ];
  return element(
    "div",
    {},
    drawn,
    element("p", { class: "scores" }, `${scores.join(", ")}. ${verdict}`),
    meanings("What the scores mean", SCORES),
  );
}
