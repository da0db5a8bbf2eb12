// The cumulative units of betting rules: lines over a season, and small ones for rows.

import { signal as state } from "@preact/signals";
import { element, svg } from "../dom.js";
import { counted, day, units } from "../format.js";
import { dateOf, dateTicks, dayNumber } from "./dates.js";
import { isPassing, waitAfter } from "./failure.js";
import { chart } from "./lines.js";
import { named } from "./marks.js";
import { placeOn } from "./svg.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Call } from "./calls.js" */
/** @import { Tone } from "./tones.js" */
/** @typedef {Answer<"/api/v1/strategies/{sport}/{model_type}/{strategy_id}/replay">} Replay */
/** @typedef {{ id: string, name: string }} Rule */

/** The number of requests for replays at a time. */
const AT_ONCE = 4;

/** The number of requests for a replay, and the pause between them. */
const [ATTEMPTS, PAUSE] = [5, 3000];

/**
 * The tones of rules in a chart, by their place: a colour and a pattern each.
 * @type {Tone[]}
 */
const TONES = ["blend", "catb", "rf", "lgb", "logr", "xgb", "ai", "xt"].map((tone, place) => ({
  tone,
  dash: [[], [10, 4], [4, 3], [12, 3, 3, 3]][place % 4],
}));

/**
 * Returns the total after each day with a bet.
 * @param {Replay} replay
 */
function totals({ rows }) {
  return new Map(rows.map((row) => [dayNumber(row.date), row.total]));
}

/**
 * Draws the cumulative units of rules over the dates of their bets.
 * @param {Address} address
 * @param {Replay[]} replays
 * @param {Call[]} calls
 */
export function overlaid(address, replays, calls) {
  const byDay = replays.map(totals);
  const days = [...new Set(byDay.flatMap((known) => [...known.keys()]))].sort((a, b) => a - b);
  const names = replays.map(({ strategy }) => strategy.name).join(" and ");
  return chart({
    id: "units",
    title: `Units won or lost by ${names}, ${replays[0].season}`,
    note: "One unit on each bet, after each day with a bet. The stronger line is zero.",
    x: {
      name: "Date",
      values: days,
      point: (index) => day(dateOf(days[index])),
      written: (index) => dateOf(days[index]),
      ticks: days.length > 0 ? dateTicks(days[0], days[days.length - 1]) : [],
    },
    y: { write: units, base: 0 },
    lines: replays.map(({ strategy }, place) => ({
      name: strategy.name,
      model: strategy.id,
      ...TONES[place % TONES.length],
      values: days.map((at) => byDay[place].get(at) ?? null),
      isHeld: true,
    })),
    of: replays.map(({ rows }) => counted(rows.length, "bet")).join(" and "),
    address,
    calls,
    split: replays[0].forecast_games,
  });
}

/**
 * Builds the sparkline of each rule. Replays that are not known yet are requested a few at a time, and drawn when they
 * arrive.
 * @param {Rule[]} rules
 * @param {Replay[]} known
 * @param {(id: string) => Promise<Replay>} ask
 * @param {AbortSignal} signal
 */
export function sparklines(rules, known, ask, signal) {
  const places = new Map(rules.map(({ id }) => [id, state(/** @type {Child} */ (null))]));
  const draw = (/** @type {string} */ id, /** @type {Replay} */ replay) => {
    const place = places.get(id);
    if (place) {
      place.value = spark(replay);
    }
  };
  known.forEach((replay) => draw(replay.strategy.id, replay));
  const missing = rules.map(({ id }) => id).filter((id) => !known.some(({ strategy }) => strategy.id === id));
  const work = async () => {
    for (let id = missing.shift(); id !== undefined && !signal.aborted; id = missing.shift()) {
      const replay = await persistently(() => ask(/** @type {string} */ (id)), signal);
      if (replay) {
        draw(id, replay);
      }
    }
  };
  for (let worker = 0; worker < AT_ONCE; worker += 1) {
    void work();
  }
  return new Map([...places].map(([id, drawn]) => [id, element("span", { class: "spark" }, drawn)]));
}

/**
 * Sends a request, again after a while if its failure passes; null if it stays without an answer.
 * @param {() => Promise<Replay>} ask
 * @param {AbortSignal} signal
 */
async function persistently(ask, signal) {
  for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) {
        return null;
      }
      await new Promise((resolve) => setTimeout(resolve, waitAfter(error, PAUSE)));
    }
  }
  return null;
}

/** @param {Replay} replay */
function spark(replay) {
  const { rows, strategy } = replay;
  const values = rows.map(({ total }) => total);
  const [across, up] = [
    placeOn([0, Math.max(1, values.length)]),
    placeOn([Math.min(0, ...values), Math.max(0, ...values)]),
  ];
  const points = [0, ...values].map((value, index) => `${across(index)} ${Math.round((100 - up(value)) * 10) / 10}`);
  const last = values[values.length - 1] ?? null;
  const words = `${strategy.name}: ${units(last)} units after ${values.length} bets`;
  const zero = 100 - up(0);
  return svg(
    "svg",
    { class: "sparkline", viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img", "aria-label": words },
    svg("line", { class: "base", x1: 0, x2: 100, y1: zero, y2: zero, "vector-effect": "non-scaling-stroke" }),
    svg("path", {
      class: "line",
      d: `M${points.join("L")}`,
      stroke: "var(--tone-blend)",
      "vector-effect": "non-scaling-stroke",
      ...named({ value: last, model: strategy.id }),
    }),
  );
}
