// The picture of a figure that travels: 1200 × 675 whatever the window, with what a stranger has to know of it.

import { now, easternTime } from "../clock.js";
import { byId, created, element, svg } from "../dom.js";
import { longDay } from "../format.js";
import { painted, partsOf, wrapped } from "./picture.js";

/** @import { Part } from "../dom.js" */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/**
 * What is written around the drawing.
 * @typedef {object} Words
 * @property {string} title
 * @property {string} subtitle How it is read.
 * @property {string[]} facts League, season and number of games, and the like.
 * @property {string} head The first digits of the record's head; empty without a record.
 */

const [WIDTH, HEIGHT, EDGE] = [1200, 675, 40];

/** The height of the line at the foot. */
const FOOT = 58;

/** The width of the words beside a drawing that is about as wide as high. */
const ASIDE = 430;

/** The scales at which a drawing is laid out, the first one that fits. A plot fits the first of its own. */
const SCALES = [1.75, 1.5, 1.3, 1.15, 1];
const SCALES_OF_PLOTS = SCALES.slice(1);

/** The sizes of a title and its most lines, above a drawing and beside one: the first one at which all of it is there. */
const TITLES = [
  { size: 34, above: 2, aside: 5 },
  { size: 28, above: 2, aside: 6 },
  { size: 23, above: 2, aside: 9 },
];

/** The most rows of a picture. */
const MOST_ROWS = 12;

/**
 * Returns the picture of a figure as a PNG.
 * @param {HTMLElement} figure
 * @param {Words} words
 */
export async function pictureOf(figure, words) {
  const isSquare = figure.querySelector(".plot.square") !== null;
  const isSimulated = !byId("simulated").hidden;
  const { left, facts } = shortened(figure, words.facts);
  const width = isSquare ? ASIDE : WIDTH - 2 * EDGE;
  const above = headOf({ ...words, facts }, width, isSquare);
  const box = isSquare
    ? { x: EDGE + ASIDE + 30, y: EDGE, width: WIDTH - 2 * EDGE - ASIDE - 30, height: HEIGHT - FOOT - EDGE - 16 }
    : { x: EDGE, y: above.bottom + 14, width, height: HEIGHT - FOOT - above.bottom - 28 };
  const drawn = await drawnIn(left, box);
  const page = getComputedStyle(document.body);
  const whole = created(
    svg(
      "svg",
      {
        width: WIDTH,
        height: HEIGHT,
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        "font-family": page.fontFamily.replaceAll('"', "'"),
      },
      svg("rect", { width: WIDTH, height: HEIGHT, fill: page.backgroundColor }),
      svg("g", { transform: `translate(${drawn.x} ${drawn.y}) scale(${drawn.scale})` }),
      above.texts,
      footOf(words.head),
      isSimulated && simulatedAt(isSquare ? { x: EDGE, y: HEIGHT - FOOT - 60 } : { x: WIDTH - EDGE - 160, y: 26 }),
    ),
  );
  whole.querySelector("g")?.append(...drawn.parts);
  return painted({ markup: new XMLSerializer().serializeToString(whole), width: WIDTH, height: HEIGHT }, 1);
}

/** Returns a colour of the page. @param {string} token */
function colour(token) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();
}

/**
 * Copies a figure without the rows that would be too small to read.
 * @param {HTMLElement} figure
 * @param {string[]} facts
 */
function shortened(figure, facts) {
  const left = /** @type {HTMLElement} */ (figure.cloneNode(true));
  const rows = [...left.querySelectorAll(".rows > .row:not(.axis), .games > .game-row")];
  rows.slice(MOST_ROWS).forEach((row) => row.remove());
  left.querySelectorAll(".game-more, .show-all").forEach((part) => part.remove());
  return rows.length > MOST_ROWS
    ? { left, facts: [...facts, `the first ${MOST_ROWS} of ${rows.length} rows`] }
    : { left, facts };
}

/**
 * Writes title, subtitle and facts; returns them with their lower end.
 * @param {Words} words
 * @param {number} width
 * @param {boolean} isAside True if they have the height of the picture.
 */
function headOf({ title, subtitle, facts }, width, isAside) {
  const font = getComputedStyle(document.body).fontFamily;
  // Beside the title is the chip that says that the data is simulated.
  const besideChip = width - (!isAside && !byId("simulated").hidden ? 190 : 0);
  const lines = (/** @type {number} */ size) => wrapped(title, `700 ${size}px ${font}`, besideChip).length;
  const side = isAside ? "aside" : "above";
  const fitting = TITLES.find(({ size, [side]: most }) => lines(size) <= most) ?? TITLES[TITLES.length - 1];
  /** @type {[string, number, number, string, number, number, number][]} Text, size, weight, colour, most lines, width, room. */
  const blocks = [
    [title, fitting.size, 700, colour("ink"), fitting[side], besideChip, 0],
    [subtitle, 19, 400, colour("muted"), isAside ? 9 : 2, width, 8],
    [facts.join(" · "), 20, 600, colour("ink"), isAside ? 4 : 1, width, 10],
  ];
  let y = EDGE;
  /** @type {Part[]} */
  const texts = [];
  for (const [text, height, weight, fill, limit, room, above] of blocks) {
    const all = text ? wrapped(text, `${weight} ${height}px ${font}`, room) : [];
    y += all.length > 0 ? above : 0;
    all.slice(0, limit).forEach((line, index) => {
      const isCut = index === limit - 1 && all.length > limit;
      const written = isCut ? `${line.trimEnd()} …` : line.trimEnd();
      texts.push(
        svg("text", { x: EDGE, y: y + height * 0.85, fill, "font-size": height, "font-weight": weight }, written),
      );
      y += height * 1.22;
    });
  }
  return { texts, bottom: y };
}

/**
 * Writes the foot: who says so, where, when, and the head of the record.
 * @param {string} head
 */
function footOf(head) {
  const { host, pathname } = new URL(".", document.baseURI);
  const date = longDay(easternTime(now()).slice(0, 10));
  const name = byId("site-name").textContent ?? "";
  const [left, right] = [`${name}  ${host}${pathname}`, [date, head && `record ${head}`].filter(Boolean).join(" · ")];
  // The heads of several leagues are a line of their own.
  const isLong = widthOf(left, 19) + widthOf(right, 19) > WIDTH - 2 * EDGE - 40;
  const y = HEIGHT - FOOT + (isLong ? 28 : 38);
  const size = 19 * Math.min(1, (WIDTH - 2 * EDGE) / widthOf(left, 19));
  const muted = colour("muted");
  return [
    svg("line", { x1: EDGE, x2: WIDTH - EDGE, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT, stroke: colour("rule") }),
    svg(
      "text",
      { x: EDGE, y, fill: muted, "font-size": size },
      svg("tspan", { "font-weight": 700, fill: colour("ink") }, name),
      svg("tspan", { dx: 12 }, `${host}${pathname}`),
    ),
    svg(
      "text",
      { x: WIDTH - EDGE, y: isLong ? y + 22 : y, "text-anchor": "end", fill: muted, "font-size": isLong ? 16 : 19 },
      right,
    ),
  ];
}

/** Returns the width of a text in the font of the page, bold at most. @param {string} text @param {number} size */
function widthOf(text, size) {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) {
    return 0;
  }
  pen.font = `700 ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

/**
 * Writes that the data is simulated.
 * @param {{ x: number, y: number }} place
 */
function simulatedAt({ x, y }) {
  const text = { x: x + 80, y: y + 25, "text-anchor": "middle", "font-size": 19, "font-weight": 700 };
  return [
    svg("rect", { x, y, width: 160, height: 36, rx: 18, fill: colour("odd-paper") }),
    svg("text", { ...text, fill: colour("odd-ink") }, "Simulated"),
  ];
}

/**
 * Lays a figure out in a window of its own, which has the size of its place in the picture, and draws it there.
 * @param {HTMLElement} figure
 * @param {Box} box
 */
async function drawnIn(figure, box) {
  const frame = /** @type {HTMLIFrameElement} */ (
    created(element("iframe", { class: "workshop", tabindex: "-1", "aria-hidden": "true" }))
  );
  document.body.append(frame);
  try {
    const page = frame.contentDocument;
    if (!page) {
      throw new Error("the browser makes no picture");
    }
    await styled(page);
    page.documentElement.className = "picture";
    page.body.append(figure);
    const scales = figure.querySelector(".plot") ? SCALES_OF_PLOTS : SCALES;
    const scale = scales.find((tried) => fits(frame, figure, box, tried)) ?? 1;
    const { width, height } = figure.getBoundingClientRect();
    const fitted = Math.min(scale, box.width / width, box.height / height);
    const x = box.x + (box.width - width * fitted) / 2;
    const y = box.y + (box.height - height * fitted) / 2;
    return { x, y, scale: fitted, parts: partsOf(figure, fitted) };
  } finally {
    frame.remove();
  }
}

/** Gives a document the styles of the page. @param {Document} page */
async function styled(page) {
  const sheets = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => {
    const copy = /** @type {HTMLLinkElement} */ (page.importNode(link, true));
    copy.href = /** @type {HTMLLinkElement} */ (link).href;
    return copy;
  });
  const loaded = sheets.map(
    (sheet) =>
      new Promise((resolve, reject) => {
        sheet.addEventListener("load", resolve);
        sheet.addEventListener("error", () => reject(new Error("the styles are not there")));
      }),
  );
  page.head.append(...sheets);
  await Promise.all(loaded);
}

/**
 * Lays a figure out for a scale; returns whether it fits. A plot takes the height that is there.
 * @param {HTMLIFrameElement} frame
 * @param {HTMLElement} figure
 * @param {Box} box
 * @param {number} scale
 */
function fits(frame, figure, box, scale) {
  const room = { width: Math.floor(box.width / scale), height: Math.floor(box.height / scale) };
  [frame.width, frame.height] = [String(room.width), String(room.height)];
  const plots = /** @type {NodeListOf<SVGElement>} */ (figure.querySelectorAll(".plot:not(.square)"));
  plots.forEach((plot) => plot.style.removeProperty("height"));
  const spare = room.height - figure.getBoundingClientRect().height;
  plots.forEach((plot) => {
    plot.style.height = `${Math.max(120, plot.getBoundingClientRect().height + spare / plots.length)}px`;
  });
  return figure.getBoundingClientRect().height <= room.height + 1;
}
