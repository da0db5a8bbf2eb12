// The reliability diagram: how often the forecast event happened, by forecast probability.

import { count, counted, gain, interval, roughShare, score, share } from "../format.js";
import { element } from "../dom.js";
import { forecastSource, marketVerdict, modelName } from "../words.js";
import { columns, levels } from "./axes.js";
import { figure } from "./figure.js";
import { named } from "./marks.js";
import { placeOn, roundRange, roundValues, svg } from "./svg.js";
import { meanings, table } from "./table.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Call } from "./calls.js" */
/** @import { Models } from "../models.js" */
/** @import { Tone } from "./tones.js" */
/** @typedef {Answer<"/api/v1/calibration/{sport}/{model_type}">} Calibration */
/** @typedef {Calibration["sources"][number]["models"][number]} ModelCalibration */

/** The least number of games of a diagram: fewer show nothing but luck. */
const LEAST = 30;

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
  const heads = [
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
    detail: () => element("p", { class: "detail" }, sentence),
  }));
  return table({ caption: `Every model: forecasts ${forecastSource(source)}`, columns: heads, rows });
}

/** @param {{ low: number | null, high: number | null }} difference */
function betweenOf({ low, high }) {
  return low !== null && element("small", {}, interval(low, high, score));
}

/**
 * Builds the diagrams of one model, one for each source of its forecasts.
 * @param {Address} address
 * @param {Calibration} calibration
 * @param {string} model
 * @param {Tone} tone The tone of the model.
 * @param {string} event The event of the probability.
 */
export function reliability(address, calibration, model, tone, event) {
  const diagrams = calibration.sources.flatMap(({ forecast_source: source, models }) => {
    const found = models.find((one) => one.model === model);
    return found && found.games > 0 ? [diagramOf(address, found, tone, source, event)] : [];
  });
  return diagrams.length > 0
    ? diagrams
    : [element("p", { class: "empty" }, `There are no graded forecasts of ${modelName(model)} to draw a diagram of.`)];
}

/**
 * @param {Address} address
 * @param {ModelCalibration} found
 * @param {Tone} tone
 * @param {string} source
 * @param {string} event
 */
function diagramOf(address, found, tone, source, event) {
  const { model, games, brier, corp, verdict_in_words: verdict } = found;
  if (games < LEAST) {
    const heading = element("h3", {}, `Forecasts ${forecastSource(source)}`);
    const text = `${counted(games, "forecast")}: too few to draw. ${verdict}`;
    return element("div", { class: "too-few" }, heading, element("p", { class: "empty" }, text));
  }
  const calls = [
    {
      template: /** @type {const} */ ("/api/v1/calibration/{sport}/{model_type}"),
      path: { sport: address.league, model_type: address.market },
      query: { forecast_source: source, models: model },
    },
  ];
  const scores = [
    `${count(games)} games`,
    `Brier score ${score(brier)}`,
    `miscalibration ${score(corp.mcb)} (p ${score(corp.mcb_p)})`,
    `discrimination ${score(corp.dsc)}`,
    `uncertainty ${score(corp.unc)}`,
  ];
  return element(
    "div",
    { class: "reliability" },
    element(
      "div",
      { class: "pair" },
      element(
        "div",
        {},
        steps(address, calls, found, tone, source, event),
        histogram(address, calls, found, tone, source),
      ),
      element(
        "div",
        {},
        element("p", { class: "scores" }, `${scores.join(", ")}. ${verdict}`),
        meanings("What the scores mean", SCORES),
      ),
    ),
  );
}

/** The whole range of probabilities, the same on both axes. */
const WHOLE = [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: roughShare(at) }));
const across = placeOn([0, 1]);
const down = (/** @type {number} */ value) => Math.round((100 - across(value)) * 1000) / 1000;

/**
 * Draws how often the event happened, by its forecast probability: one step for each block of forecasts.
 * @param {Address} address
 * @param {Call[]} calls
 * @param {ModelCalibration} found
 * @param {Tone} tone
 * @param {string} source
 * @param {string} event
 */
function steps(address, calls, { model, reliability_diagram: blocks }, tone, source, event) {
  const bands = blocks.map((block) =>
    svg("rect", {
      class: "band",
      x: `${across(block.p_min)}%`,
      width: `${Math.max(0.4, across(block.p_max) - across(block.p_min))}%`,
      y: `${down(block.band_high)}%`,
      height: `${down(block.band_low) - down(block.band_high)}%`,
    }),
  );
  const stroke = `var(--tone-${tone.tone})`;
  const treads = blocks.map((block) =>
    svg("line", {
      class: "mark step",
      stroke,
      x1: `${across(block.p_min)}%`,
      x2: `${across(block.p_max)}%`,
      y1: `${down(block.rate)}%`,
      y2: `${down(block.rate)}%`,
      "data-games": block.games,
      ...named({ value: block.rate, model }),
    }),
  );
  const risers = blocks.slice(1).map((block, index) =>
    svg("line", {
      class: "riser",
      stroke,
      x1: `${across(blocks[index].p_max)}%`,
      x2: `${across(block.p_min)}%`,
      y1: `${down(blocks[index].rate)}%`,
      y2: `${down(block.rate)}%`,
    }),
  );
  const title = `Reliability of ${modelName(model)}: forecasts ${forecastSource(source)}`;
  const plot = svg(
    "svg",
    { class: "plot square", role: "img", "aria-label": title, overflow: "visible" },
    levels(WHOLE, down),
    columns(WHOLE, across),
    bands,
    svg("line", { class: "compared", x1: 0, y1: "100%", x2: "100%", y2: 0 }),
    risers,
    treads,
  );
  const heads = ["From", "To", "Games", "Happened", "Band from", "Band to"];
  return figure({
    id: `reliability-${source}`,
    title,
    note: `Upwards: how often ${event}. Sideways: the forecast probability that it does. On the dashed line forecasts are right; inside the band the difference could be luck.`,
    drawing: [element("div", { class: "plot-area square" }, plot)],
    numbers: () => ({
      caption: `${title}, as numbers`,
      columns: heads.map((head) => ({ head, number: true })),
      rows: blocks.map((block) => ({
        id: `block-${source}-${block.p_min}`,
        cells: [
          share(block.p_min),
          share(block.p_max),
          count(block.games),
          share(block.rate),
          share(block.band_low),
          share(block.band_high),
        ],
        values: [block.p_min, block.p_max, block.games, block.rate, block.band_low, block.band_high],
      })),
    }),
    address,
    calls,
  });
}

/**
 * Draws how many forecasts there are, by probability.
 * @param {Address} address
 * @param {Call[]} calls
 * @param {ModelCalibration} found
 * @param {Tone} tone
 * @param {string} source
 */
function histogram(address, calls, { model, murphy }, tone, source) {
  const range = roundRange([0, ...murphy.bins.map((bin) => bin.games)], 3);
  const up = placeOn(range);
  const bars = murphy.bins.map((bin) =>
    svg("rect", {
      class: "mark bar",
      fill: `var(--tone-${tone.tone})`,
      x: `${across(bin.from) + 0.5}%`,
      width: `${across(bin.to) - across(bin.from) - 1}%`,
      y: `${100 - up(bin.games)}%`,
      height: `${up(bin.games)}%`,
      ...named({ value: bin.games, model }),
    }),
  );
  const title = `${modelName(model)}'s forecasts by probability, games`;
  const ticks = roundValues(range, 3)
    .filter(Number.isInteger)
    .map((at) => ({ at, text: count(at) }));
  const plot = svg(
    "svg",
    { class: "plot short", role: "img", "aria-label": title, overflow: "visible" },
    levels(ticks, (value) => 100 - up(value)),
    columns(WHOLE, across),
    bars,
  );
  return figure({
    id: `forecasts-${source}`,
    title,
    drawing: [element("div", { class: "plot-area square" }, plot)],
    numbers: () => ({
      caption: `${title}, as numbers`,
      columns: ["From", "To", "Games", "Happened"].map((head) => ({ head, number: true })),
      rows: murphy.bins.map((bin) => ({
        id: `bin-${source}-${bin.from}`,
        cells: [share(bin.from), share(bin.to), count(bin.games), share(bin.rate)],
        values: [bin.from, bin.to, bin.games, bin.rate],
      })),
    }),
    address,
    calls,
  });
}
