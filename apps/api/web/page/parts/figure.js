// The frame of a figure: its title, its drawing, its numbers as a table, and ways to pass it on.

import { write } from "../address.js";
import { append, element } from "../dom.js";
import { forecastSplit } from "../words.js";
import { callsButton } from "./calls.js";
import { csv } from "./csv.js";
import { keepFile } from "./keep-file.js";
import { pngOf } from "./picture.js";
import { table, valuesOf } from "./table.js";

/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Call } from "./calls.js" */
/** @import { Content as TableContent } from "./table.js" */
/** @import { ForecastGames } from "../words.js" */
/**
 * @typedef {object} Figure
 * @property {string} id Names the figure in its view, and in its address.
 * @property {string} title What the figure shows.
 * @property {Child | Child[]} [note] How it is read, with its units.
 * @property {(Child | Child[])[]} [legend]
 * @property {Child[]} drawing
 * @property {() => TableContent} numbers
 * @property {Address} address
 * @property {Call[]} calls
 * @property {ForecastGames} [split] The games of its season by the kind of their forecast.
 * @property {string} [class]
 */

/** @param {Figure} content */
export function figure({ id, title, note, legend = [], drawing, numbers, address, calls, split, class: kind = "" }) {
  const made = element(
    "figure",
    { class: `figure ${kind}`.trim(), id: `figure-${id}` },
    element("figcaption", {}, element("strong", {}, title), note && element("span", { class: "reading" }, note)),
    legend.length > 0 &&
      element(
        "ul",
        { class: "legend" },
        legend.map((entry) => element("li", {}, entry)),
      ),
    ...drawing,
    split && element("p", { class: "note split" }, forecastSplit(split)),
  );
  append(made, under(made, id, address, calls, numbers));
  return made;
}

/**
 * @param {HTMLElement} made
 * @param {string} id
 * @param {Address} address
 * @param {Call[]} calls
 * @param {() => TableContent} numbers
 */
function under(made, id, address, calls, numbers) {
  const name = [address.view, address.league, address.market, id].join("-");
  const progress = element("span", { role: "status" });
  const saved = async () => {
    const { columns, rows } = numbers();
    const content = csv(
      columns.map(({ head }) => head),
      rows.map(valuesOf),
    );
    keepFile(new Blob([content], { type: "text/csv" }), `${name}.csv`);
  };
  const pictured = async () => {
    try {
      keepFile(await pngOf(made), `${name}.png`);
    } catch (error) {
      progress.textContent = `There is no picture: ${error instanceof Error ? error.message : error}.`;
    }
  };
  const button = (/** @type {string} */ text, /** @type {() => Promise<void>} */ click) =>
    element(
      "button",
      { type: "button", class: "action", id: `${text.toLowerCase()}-${id}`, on: { click: () => void click() } },
      text,
    );
  return element(
    "div",
    { class: "under" },
    element(
      "div",
      { class: "ways" },
      element("a", { class: "action", id: `link-${id}`, href: write(address, {}, { figure: id }) }, "Link"),
      button("CSV", saved),
      button("PNG", pictured),
      ...callsButton(id, calls),
      progress,
    ),
    folded("The numbers as a table", () => table(numbers())),
  );
}

/**
 * Builds an element whose content is made when it is opened.
 * @param {string} name
 * @param {() => Node} content
 */
export function folded(name, content) {
  const made = element("details", {}, element("summary", {}, name));
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) {
      made.append(content());
    }
  });
  return made;
}
