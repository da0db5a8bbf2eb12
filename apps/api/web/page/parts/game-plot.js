// The probability of one game over time: a model's steps, all models as a band, the book and the prediction market.

import { heldAt } from "../course.js";
import { element, svg } from "../dom.js";
import { instant, interval, roughShare, share } from "../format.js";
import { POSITIVE_EVENTS, capitalised, modelName } from "../words.js";
import { columns, levels } from "./axes.js";
import { timeTicks } from "./dates.js";
import { figure } from "./figure.js";
import { mark, named, readAt, sample } from "./marks.js";
import { plotSlider } from "./plot-slider.js";
import { stepSample } from "./step-plot.js";
import { placeOn, roundRange, roundValues } from "./svg.js";
import { swatch, toneOf } from "./tones.js";

/** @import { Address } from "../address.js" */
/** @import { Course, Held } from "../course.js" */
/** @import { Child, Part } from "../dom.js" */
/** @import { Game } from "../game.js" */
/** @import { Models } from "../models.js" */
/** @import { Market } from "../words.js" */
/** @import { Tone } from "./tones.js" */
/**
 * A line of the plot.
 * @typedef {object} Line
 * @property {string} model
 * @property {string} name
 * @property {Tone} tone
 * @property {Held[]} steps
 */
/**
 * Something that is read from the plot at an instant.
 * @typedef {object} Reader
 * @property {string} name
 * @property {Child[]} legend
 * @property {(time: number) => string} read
 */
/** @typedef {{ across: (at: number) => number, down: (value: number) => number }} Axes */

/** The most ticks of an axis. */
const TICKS = 4;

/** The least distance of two texts at the ends of lines, in percent of the plot's height. */
const APART = 7;

/** The part of the axis, in percent, beyond which the end of a line has no room for a text before the start. */
const NEAR = 70;

/**
 * Draws the course of a game's probabilities.
 * @param {Address} address
 * @param {Game} game
 * @param {Models} league
 * @param {Course} course
 */
export function gamePlot(address, game, league, course) {
  const { model, times, own, book } = course;
  const lines = [
    { model: "IMPLIED", name: "Book, without its margin", tone: toneOf("IMPLIED", -1), steps: book },
    { model, name: modelName(model), tone: league.tone(model), steps: own },
  ].filter(({ steps }) => steps.length > 0);
  const title = titleOf(address.market, course);
  const across = placeOn([course.first, course.end]);
  const readers = readersOf(lines, course);
  const time = (/** @type {number} */ index) => instant(new Date(times[index]).toISOString());
  const places = times.map(across);
  const legendAt = (/** @type {number} */ index) =>
    readers.map(({ legend, read }) => [...legend, element("span", { class: "value" }, read(times[index]))]);
  return plotSlider({
    id: "probability-at",
    name: `${title}: time`,
    of: `${model} ${address.market}`,
    last: times.length - 1,
    at: times.length - 1,
    // What began at a point holds until the next one.
    pointAt: (part) =>
      Math.max(
        0,
        places.findLastIndex((place) => place <= part * 100),
      ),
    placeAt: time,
    spoken: (index) => [time(index), ...readers.map(({ name, read }) => `${name} ${read(times[index])}`)].join(", "),
    draw: (index, onPlot, slider) =>
      figure({
        id: "probability",
        title,
        note: noteOf(address.market, course),
        legend: [...legendAt(index), ...instantsOf(course)],
        drawing: [
          element("div", { class: "plot-area course" }, plotOf(title, game.id, lines, course, times[index], onPlot)),
          slider,
        ],
        numbers: () => numbersOf(title, lines, course),
        address,
        calls: game.calls,
        class: "lines",
      }),
  });
}

/**
 * Says in the title what is found.
 * @param {Market} market
 * @param {Course} course
 */
function titleOf(market, { model, own, book }) {
  const last = (/** @type {Held[]} */ steps) => steps.at(-1)?.value ?? null;
  const found = [
    last(own) !== null && `${modelName(model)} ${share(last(own))}`,
    last(book) !== null && `the book ${share(last(book))}`,
  ].filter(Boolean);
  return `${capitalised(POSITIVE_EVENTS[market])}: ${found.join(", ")}`;
}

/**
 * @param {Market} market
 * @param {Course} course
 */
function noteOf(market, { own, book, isFinal }) {
  return [
    "A step for each change, from the release that published it until the next one.",
    market !== "won_on_points" && own.length > 0 && "Each probability is of the line of its release.",
    book.length === 0 && "No price was published before the start.",
    isFinal && "The final is at the end of the axis: its time is not on record.",
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Returns what is read from the plot.
 * @param {Line[]} lines
 * @param {Course} course
 * @returns {Reader[]}
 */
function readersOf(lines, { band, models, exchange, until }) {
  const all = {
    name: `All ${models} models`,
    legend: [bandSample(), `All ${models} models, lowest to highest`],
    read: (/** @type {number} */ time) => {
      const held = heldAt(band, time);
      return held && held.low !== null ? interval(held.low, held.high) : "–";
    },
  };
  const market = {
    name: "Prediction market",
    legend: [sample("exchange"), "Prediction market, now"],
    read: (/** @type {number} */ time) => (time === until ? share(exchange) : "–"),
  };
  const drawn = lines.map(({ name, tone, steps }) => ({
    name,
    legend: [element("span", { "data-tone": tone.tone }, swatch(tone)), name],
    read: (/** @type {number} */ time) => share(heldAt(steps, time)?.value),
  }));
  return [...drawn.reverse(), ...(band.length > 0 ? [all] : []), ...(exchange === null ? [] : [market])];
}

/**
 * Returns the legend of the instants.
 * @param {Course} course
 * @returns {Child[][]}
 */
function instantsOf({ close, start, earlier, isFinal }) {
  /** @type {Child[][]} */
  const entries = [];
  if (close) {
    entries.push([stepSample("close"), close.isClose ? "Close" : "Latest line"]);
  }
  if (start !== null) {
    entries.push([stepSample("start"), "Start"]);
  }
  if (earlier.length > 0) {
    entries.push([stepSample("earlier-start"), "Earlier start"]);
  }
  if (isFinal) {
    entries.push([stepSample("final"), "Final"]);
  }
  return entries;
}

/**
 * @param {string} title
 * @param {string} game
 * @param {Line[]} lines
 * @param {Course} course
 * @param {number} time The instant that is read.
 * @param {Record<string, (event: any) => void>} onPlot
 */
function plotOf(title, game, lines, course, time, onPlot) {
  const { first, until, end, start, earlier, band, close, exchange, isFinal } = course;
  const across = placeOn([first, end]);
  const range = rangeOf(lines, course);
  const up = placeOn(range);
  const down = (/** @type {number} */ value) => Math.round((100 - up(value)) * 1000) / 1000;
  const axes = { across, down };
  const ticks = roundValues(range, TICKS).map((at) => ({ at, text: shortShare(at) }));
  const dots = lines.map(({ model, tone, steps }) => ({
    tone,
    figure: { value: heldAt(steps, time)?.value ?? null, game, model },
  }));
  return svg(
    "svg",
    { class: "plot", role: "img", "aria-label": title, overflow: "visible", on: onPlot },
    levels(ticks, down, 0.5),
    columns(timeTicks(first, end, TICKS), across),
    bandOf(band, until, game, axes),
    earlier.map((at) => upright(across(at), "earlier-start")),
    start === null ? null : upright(across(start), "start"),
    isFinal && upright(100, "final"),
    lines.flatMap((line) => stairs(line, until, game, axes)),
    close && at(close.at, close.value, axes, svg("path", closing(game, close.value))),
    exchange === null ? null : at(until, exchange, axes, mark("exchange", 0, { value: exchange, game })),
    readAt(across(time), down, dots),
    ends(lines, exchange, { x: across(until) < NEAR && end === start ? across(until) : 100, down }),
  );
}

/**
 * Returns the range of the axis, which fits what is drawn: a game's probabilities are mostly close to each other.
 * @param {Line[]} lines
 * @param {Course} course
 * @returns {[number, number]}
 */
function rangeOf(lines, { band, exchange }) {
  const values = [
    ...lines.flatMap(({ steps }) => steps.map(({ value }) => value)),
    ...band.flatMap(({ low, high }) => [low, high]),
    exchange,
  ].filter((value) => value !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // A hundredth at least: a smaller difference is not to look like one.
  const [lowest, highest] = roundRange([low - 0.005, high + 0.005], TICKS);
  return [Math.max(0, lowest), Math.min(1, highest)];
}

/** Formats a share for the axis, whose values need not be whole hundredths. @param {number} value */
function shortShare(value) {
  return Number.isInteger(Math.round(value * 1000) / 10) ? roughShare(value) : share(value);
}

/** @param {number} x @param {string} kind */
function upright(x, kind) {
  return svg("line", { class: kind, x1: `${x}%`, x2: `${x}%`, y1: 0, y2: "100%" });
}

/**
 * Puts a drawing at an instant and a value.
 * @param {number} time
 * @param {number} value
 * @param {Axes} axes
 * @param {Part} drawn
 */
function at(time, value, { across, down }, drawn) {
  // A mark is in the middle of the height of what it is in.
  return svg("svg", { x: `${across(time)}%`, y: `${down(value)}%`, width: 1, height: 1, overflow: "visible" }, drawn);
}

/** @param {string} game @param {number} value */
function closing(game, value) {
  return { class: "mark line-close", d: "M0-7L7 0L0 7L-7 0Z", ...named({ value, game, model: "IMPLIED" }) };
}

/**
 * Fills what is between the lowest and the highest model, from each change to the next.
 * @param {Course["band"]} band
 * @param {number} until
 * @param {string} game
 * @param {Axes} axes
 */
function bandOf(band, until, game, { across, down }) {
  return band.flatMap(({ at: from, low, high }, index) => {
    if (low === null) {
      return [];
    }
    const [left, right] = [across(from), across(band[index + 1]?.at ?? until)];
    const place = {
      x: `${left}%`,
      width: `${right - left}%`,
      y: `${down(high)}%`,
      height: `${down(low) - down(high)}%`,
    };
    return [svg("rect", { class: "band", ...place, "data-game": game, "data-low": low, "data-high": high })];
  });
}

/**
 * Draws each value from its change to the next one, and the changes between them.
 * @param {Line} line
 * @param {number} until
 * @param {string} game
 * @param {Axes} axes
 */
function stairs({ steps, model, tone }, until, game, { across, down }) {
  const pattern = { stroke: `var(--tone-${tone.tone})`, "stroke-dasharray": tone.dash.join(" ") || null };
  return steps.flatMap(({ at: from, value }, index) => {
    if (value === null) {
      return [];
    }
    const next = steps[index + 1];
    const [y, end] = [`${down(value)}%`, `${across(next?.at ?? until)}%`];
    const tread = { class: "mark tread", x1: `${across(from)}%`, x2: end, y1: y, y2: y, ...pattern };
    const riser = next && next.value !== null;
    return [
      svg("line", { ...tread, ...named({ value, game, model }) }),
      ...(riser
        ? [svg("line", { class: "riser", x1: end, x2: end, y1: y, y2: `${down(next.value ?? 0)}%`, ...pattern })]
        : []),
    ];
  });
}

/**
 * Writes the last value of each line at its end or beside the plot, the texts as far apart as they need.
 * @param {Line[]} lines
 * @param {number | null} exchange
 * @param {{ x: number, down: Axes["down"] }} place
 */
function ends(lines, exchange, { x, down }) {
  const last = lines.map(({ steps, tone }) => ({
    value: steps.at(-1)?.value ?? null,
    color: `var(--tone-${tone.tone})`,
  }));
  const texts = [...last, { value: exchange, color: "var(--ink)" }].flatMap(({ value, color }) =>
    value === null ? [] : [{ text: share(value), color, y: down(value) }],
  );
  texts.sort((a, b) => a.y - b.y);
  for (let index = 1; index < texts.length; index += 1) {
    texts[index].y = Math.max(texts[index].y, texts[index - 1].y + APART);
  }
  return texts.map(({ text, color, y }) => {
    const place = { x: `${x}%`, y: `${y}%`, overflow: "visible" };
    return svg("svg", place, svg("text", { class: "end", x: 12, "dominant-baseline": "middle", color }, text));
  });
}

/** Draws the band for a legend. */
function bandSample() {
  const rect = svg("rect", { class: "band", width: "100%", height: "100%" });
  return svg("svg", { class: "sample", width: 34, height: 14, "aria-hidden": "true" }, rect);
}

/**
 * @param {string} title
 * @param {Line[]} lines
 * @param {Course} course
 */
function numbersOf(title, lines, { times, band }) {
  const number = true;
  const ranges = band.length > 0 ? ["Lowest model", "Highest model"] : [];
  const heads = [...lines.map(({ name }) => name), ...ranges];
  const rows = times.map((time) => {
    const held = band.length > 0 ? heldAt(band, time) : null;
    const figures = [
      ...lines.map(({ steps }) => heldAt(steps, time)?.value ?? null),
      ...(band.length > 0 ? [held?.low ?? null, held?.high ?? null] : []),
    ];
    const at = new Date(time).toISOString();
    return { id: `probability-${time}`, cells: [instant(at), ...figures.map(share)], values: [at, ...figures] };
  });
  return {
    caption: `${title}: every change`,
    columns: [{ head: "From", line: true }, ...heads.map((head) => ({ head, number }))],
    rows,
  };
}
