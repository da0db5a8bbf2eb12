// The reliability diagram: how often the forecast event happened, by forecast probability.

import { count, counted, interval, roughShare, score, share } from "../format.js";
import { element, svg } from "../dom.js";
import { capitalised, modelName, scoredForecasts } from "../words.js";
import { columns, levels } from "./axes.js";
import { figure } from "./figure.js";
import { named } from "./marks.js";
import { readable } from "./readable.js";
import { placeOn, roundRange, roundValues } from "./svg.js";
import { meanings } from "./table.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Call } from "./calls.js" */
/** @import { Tone } from "./tones.js" */
/** @import { ForecastGames } from "../words.js" */
/** @typedef {Answer<"/api/v1/calibration/{sport}/{model_type}">} Calibration */
/** @typedef {Calibration["sources"][number]} Source */
/** @typedef {Source["models"][number]} ModelCalibration */
/**
 * @typedef {object} Diagram What a diagram is of, and how it is drawn.
 * @property {Address} address
 * @property {Call[]} calls
 * @property {Tone} tone The tone of the model.
 * @property {string} source The source of the forecasts, by its code.
 * @property {string} forecasts The forecasts, in words.
 * @property {string} event The event of the probability.
 * @property {ForecastGames} split
 */

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
 * Builds the diagrams of one model, one for each source of its forecasts.
 * @param {Address} address
 * @param {Calibration} calibration
 * @param {string} model
 * @param {Tone} tone The tone of the model.
 * @param {string} event The event of the probability.
 */
export function reliability(address, calibration, model, tone, event) {
  const diagrams = calibration.sources.flatMap((source) => {
    const found = source.models.find((one) => one.model === model);
    const calls = [callOf(address, calibration.season, source, model)];
    const of = { address, calls, tone, event, split: calibration.forecast_games };
    const words = { source: source.forecast_source, forecasts: scoredForecasts(source) };
    return found && found.games > 0 ? [diagramOf({ ...of, ...words }, found)] : [];
  });
  return diagrams.length > 0
    ? diagrams
    : [element("p", { class: "empty" }, `There are no graded forecasts of ${modelName(model)} to draw a diagram of.`)];
}

/**
 * Returns the request of a model's scores.
 * @param {Address} address
 * @param {string} season
 * @param {Source} source
 * @param {string} model
 * @returns {Call}
 */
function callOf({ league: sport, market: model_type }, season, { forecast_source, horizon }, model) {
  return {
    template: "/api/v1/calibration/{sport}/{model_type}",
    path: { sport, model_type },
    query: { season, forecast_source, horizon, models: model },
  };
}

/**
 * @param {Diagram} of
 * @param {ModelCalibration} found
 */
function diagramOf(of, found) {
  const { games, brier, corp, verdict_in_words: verdict } = found;
  if (games < LEAST) {
    const heading = element("h3", {}, `Forecasts ${of.forecasts}`);
    const text = `${counted(games, "forecast")}: too few to draw. ${verdict}`;
    return element("div", { class: "too-few" }, heading, element("p", { class: "empty" }, text));
  }
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
      element("div", {}, steps(of, found), histogram(of, found)),
      element(
        "div",
        {},
        element("p", { class: "scores" }, `${scores.join(", ")}.`),
        meanings("What the scores mean", SCORES),
      ),
    ),
  );
}

/** The whole range of probabilities, the same on both axes. */
const WHOLE = [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: roughShare(at) }));
const across = placeOn([0, 1]);
const down = (/** @type {number} */ value) => Math.round((100 - across(value)) * 1000) / 1000;

/** The radius of a circle that stands for every game, in pixels. */
const WIDEST = 26;

/**
 * Draws the forecasts of a model as circles, one for each tenth of probability: the larger, the more games. Nothing is drawn of
 * fewer games than the least.
 * @param {Address} address
 * @param {Calibration} calibration
 * @param {string} model
 * @param {Tone} tone
 * @param {string} event
 */
export function circles(address, calibration, model, tone, event) {
  const found = calibration.sources.flatMap((source) =>
    source.models.filter((one) => one.model === model).map((scores) => ({ source, scores })),
  );
  const enough = found.filter(({ scores }) => scores.games >= LEAST);
  const [best] = enough;
  if (!best) {
    const most = Math.max(0, ...found.map(({ scores }) => scores.games));
    const text = `${capitalised(counted(most, "forecast"))} of ${modelName(model)} in ${calibration.season}: ${LEAST} are needed to draw how right they were.`;
    return element("p", { class: "empty", id: "no-reliability" }, text);
  }
  const { source, scores } = best;
  const bins = scores.murphy.bins.filter(({ games }) => games > 0);
  const title = scores.verdict_in_words;
  const plot = svg(
    "svg",
    { class: "plot square", role: "img", "aria-label": title, overflow: "visible" },
    levels(WHOLE, down),
    columns(WHOLE, across),
    svg("line", { class: "compared", x1: 0, y1: "100%", x2: "100%", y2: 0 }),
    bins.map((bin) => circle(bin, scores, tone)),
  );
  return figure({
    id: "reliability",
    title,
    season: calibration.season,
    of: counted(scores.games, "game"),
    note: `How often ${event}, by ${modelName(model)}'s forecast ${scoredForecasts(source)}, ${calibration.season}. On the dashed line forecasts are right; larger circles have more games, pale ones few.`,
    drawing: [element("div", { class: "plot-area square" }, plot)],
    numbers: () => ({
      caption: "Forecasts by probability, as numbers",
      columns: ["From", "To", "Games", "Mean forecast", "Happened"].map((head) => ({ head, number: true })),
      rows: bins.map(({ from, to, games, mean_p: mean, rate }) => ({
        id: `circle-${from}`,
        cells: [share(from), share(to), count(games), share(mean), share(rate)],
        values: [from, to, games, mean, rate],
      })),
    }),
    address,
    calls: [callOf(address, calibration.season, source, model)],
  });
}

/**
 * @param {ModelCalibration["murphy"]["bins"][number]} bin
 * @param {ModelCalibration} of
 * @param {Tone} tone
 */
function circle({ from, to, games, mean_p: mean, rate, thin }, { model, games: all }, { tone }) {
  if (typeof mean !== "number" || typeof rate !== "number") {
    return null;
  }
  const words = `Forecast ${share(from)} to ${share(to)}: happened in ${share(rate)} of ${counted(games, "game")}`;
  return svg(
    "g",
    {
      class: "mark circle",
      "data-games": games,
      "data-faded": thin && "",
      ...named({ value: rate, model }),
    },
    svg("title", {}, words),
    svg("circle", {
      cx: `${across(mean)}%`,
      cy: `${down(rate)}%`,
      r: Math.max(3, WIDEST * Math.sqrt(games / all)),
      fill: `var(--tone-${tone})`,
    }),
  );
}

/** Draws what could be luck in a block of forecasts. @param {ModelCalibration["reliability_diagram"][number]} block */
function band({ p_min: from, p_max: to, band_low: low, band_high: high }) {
  return svg("rect", {
    class: "band",
    x: `${across(from)}%`,
    width: `${Math.max(0.4, across(to) - across(from))}%`,
    y: `${down(high)}%`,
    height: `${down(low) - down(high)}%`,
  });
}

/** Describes a block of forecasts. @param {ModelCalibration["reliability_diagram"][number]} block */
function inWords({ p_min: from, p_max: to, games, rate, band_low: low, band_high: high }) {
  return `Forecasts of ${interval(from, to)}: ${share(rate)} of ${counted(games, "game")}, by luck ${interval(low, high)}`;
}

/**
 * Draws the rate of each block of forecasts, its thickness by the number of games, and the rises between them.
 * @param {ModelCalibration["reliability_diagram"]} blocks
 * @param {string} model
 * @param {string} stroke
 */
function stairs(blocks, model, stroke) {
  const most = Math.max(...blocks.map(({ games }) => games));
  const treads = blocks.map((block) =>
    svg(
      "line",
      {
        class: "mark step",
        stroke,
        "stroke-width": Math.round((2 + 7 * Math.sqrt(block.games / most)) * 10) / 10,
        x1: `${across(block.p_min)}%`,
        x2: `${across(block.p_max)}%`,
        y1: `${down(block.rate)}%`,
        y2: `${down(block.rate)}%`,
        "data-games": block.games,
        ...named({ value: block.rate, model }),
      },
      svg("title", {}, inWords(block)),
    ),
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
  return [...risers, ...treads];
}

/**
 * Draws how often the event happened, by its forecast probability: one step for each block of forecasts.
 * @param {Diagram} of
 * @param {ModelCalibration} found
 */
function steps(of, found) {
  const { address, calls, tone, source, forecasts, event, split } = of;
  const { model, reliability_diagram: blocks, verdict_in_words: title } = found;
  const reading = `Reliability of ${modelName(model)}: forecasts ${forecasts}`;
  const plot = svg(
    "svg",
    { class: "plot square", role: "img", "aria-label": `${reading}. ${title}`, overflow: "visible" },
    levels(WHOLE, down),
    columns(WHOLE, across),
    blocks.map(band),
    svg("line", { class: "compared", x1: 0, y1: "100%", x2: "100%", y2: 0 }),
    stairs(blocks, model, `var(--tone-${tone.tone})`),
  );
  const heads = ["From", "To", "Games", "Happened", "Band from", "Band to"];
  return figure({
    id: `reliability-${source}`,
    title,
    note: `${reading}. Upwards: how often ${event}. Sideways: the forecast probability that it does. On the dashed line forecasts are right; inside the band the difference could be luck. The thicker a step, the more games.`,
    drawing: [readable(title, element("div", { class: "plot-area square" }, plot), { along: true })],
    of: counted(found.games, "game"),
    numbers: () => ({
      caption: `${reading}, as numbers`,
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
    split,
  });
}

/**
 * Draws how many forecasts there are, by probability.
 * @param {Diagram} of
 * @param {ModelCalibration} found
 */
function histogram({ address, calls, tone, source, split }, { model, games, murphy }) {
  const range = roundRange([0, ...murphy.bins.map((bin) => bin.games)], 3);
  const up = placeOn(range);
  const bars = murphy.bins.map((bin) =>
    svg(
      "rect",
      {
        class: "mark bar",
        fill: `var(--tone-${tone.tone})`,
        x: `${across(bin.from) + 0.5}%`,
        width: `${across(bin.to) - across(bin.from) - 1}%`,
        y: `${100 - up(bin.games)}%`,
        height: `${up(bin.games)}%`,
        "data-games": bin.games,
        ...named({ value: bin.games, model }),
      },
      svg(
        "title",
        {},
        `${interval(bin.from, bin.to, (at) => roughShare(at ?? 0))}: ${counted(bin.games, "game")}, ${share(bin.rate)} happened`,
      ),
    ),
  );
  const numbers = murphy.bins
    .filter((bin) => bin.games > 0)
    .map((bin) => {
      const place = { x: `${across((bin.from + bin.to) / 2)}%`, y: `${100 - up(bin.games)}%` };
      return svg("text", { ...place, dy: -4, "text-anchor": "middle" }, count(bin.games));
    });
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
    numbers,
  );
  return figure({
    id: `forecasts-${source}`,
    title,
    drawing: [readable(title, element("div", { class: "plot-area square" }, plot), { along: true })],
    of: counted(games, "game"),
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
    split,
  });
}
