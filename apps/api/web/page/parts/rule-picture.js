// The picture of a rule, 1200 × 630: sentence, record, course, luck, date and address, from the answer on the page.

import { signal } from "@preact/signals";
import { easternTime, now } from "../clock.js";
import { byId, created, element, svg } from "../dom.js";
import { chance, counted, gain, interval, units, wonLostPushed } from "../format.js";
import { keepFile } from "./keep-file.js";
import { copyOf, painted, wrapped } from "./picture.js";

/** @import { Address } from "../address.js" */
/** @import { Backtest } from "../rule.js" */

const [WIDTH, HEIGHT, EDGE] = [1200, 630, 40];

/** The least height of the course: a long sentence gets a smaller font. */
const COURSE = 180;

/**
 * Builds the buttons that save the picture.
 * @param {Address} address
 * @param {Backtest} answer
 * @param {string} luck The luck in words.
 */
export function pictureButtons({ league, market }, answer, luck) {
  const progress = signal("");
  const button = (/** @type {string} */ kind, /** @type {string} */ text) => {
    const click = async () => {
      try {
        const markup = new XMLSerializer().serializeToString(pictureOf(answer, luck));
        const drawing = { markup, width: WIDTH, height: HEIGHT };
        const picture = kind === "svg" ? new Blob([markup], { type: "image/svg+xml" }) : await painted(drawing, 1);
        keepFile(picture, `${league}-${market}-rule.${kind}`);
      } catch (error) {
        progress.value = `There is no picture: ${error instanceof Error ? error.message : error}.`;
      }
    };
    return element("button", { type: "button", id: `picture-${kind}`, on: { click: () => void click() } }, text);
  };
  return element(
    "p",
    { class: "actions" },
    button("png", "Save picture"),
    button("svg", "Save as SVG"),
    element("span", { role: "status" }, progress),
  );
}

/**
 * @param {Backtest} answer
 * @param {string} luck
 */
function pictureOf({ rule, record, course, luck: measured, search }, luck) {
  const page = getComputedStyle(document.body);
  const font = page.fontFamily.replaceAll('"', "'");
  const muted = getComputedStyle(document.documentElement).getPropertyValue("--muted").trim();
  const { roi, roi_low: low, roi_high: high } = record;
  const range = low === null ? "" : ` (95 %: ${interval(low, high, gain)})`;
  const won = `${counted(record.bets, "bet")}, ${wonLostPushed(record)}, ${units(record.units)} units, ROI ${gain(roi)}${range}`;
  const legend =
    "Line: this rule; dashed: the median bettor; bands: 5 % to 95 % and 25 % to 75 % of bettors with luck alone.";
  const tried = `${counted(search.tried, "rule")} tried`;
  const simulated = byId("simulated").hidden ? "" : " Simulated data.";
  const measure = `p ${chance(measured?.p)}, ${tried}, ${easternTime(now()).slice(0, 10)}.${simulated} ${measured ? legend : ""}`;
  const lines = (/** @type {number} */ size) => {
    const text = (/** @type {string} */ words, /** @type {number} */ height, fill = page.color, weight = 400) =>
      wrapped(words, `${weight} ${height}px ${font}`, WIDTH - 2 * EDGE).map((line) => ({ line, height, fill, weight }));
    return {
      above: [...text(rule.sentence, size, page.color, 700), ...text(won, Math.min(size, 22))],
      below: [...text(luck, 18), ...text(measure, 14, muted), ...text(location.href, 13, muted)],
    };
  };
  const heightOf = (/** @type {{ height: number }[]} */ of) => of.reduce((sum, { height }) => sum + height * 1.3, 0);
  const fits = (/** @type {ReturnType<typeof lines>} */ { above, below }) =>
    HEIGHT - heightOf(above) - heightOf(below) - 2 * EDGE - 70 >= COURSE;
  const { above, below } = [28, 24, 20, 16, 13].map(lines).find(fits) ?? lines(12);
  const top = EDGE + heightOf(above);
  const bottom = HEIGHT - EDGE - heightOf(below);
  const write = (/** @type {typeof above} */ of, /** @type {number} */ from) =>
    of.map(({ line, height, fill, weight }, index) => {
      const y = from + heightOf(of.slice(0, index)) + height;
      return svg("text", { x: EDGE, y, fill, "font-size": height, "font-weight": weight }, line);
    });
  const made = created(
    svg(
      "svg",
      { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "font-family": font },
      svg("rect", { width: WIDTH, height: HEIGHT, fill: page.backgroundColor }),
      write(above, EDGE),
      write(below, bottom),
    ),
  );
  const place = { x: EDGE + 62, y: top + 20, width: WIDTH - 2 * EDGE - 76, height: bottom - top - 70 };
  made.append(...courseOf(place, course.length > 1));
  return made;
}

/**
 * Copies the course on the page, without the marks of its slider.
 * @param {{ x: number, y: number, width: number, height: number }} place
 * @param {boolean} isLine False for a course of one date, which is a mark alone.
 */
function courseOf(place, isLine) {
  const plot = document.querySelector("#figure-course .plot");
  if (!(plot instanceof SVGSVGElement)) {
    return [];
  }
  const copy = copyOf(plot, place);
  copy.querySelectorAll(isLine ? ".cursor, .mark" : ".cursor").forEach((part) => part.remove());
  return [copy];
}
