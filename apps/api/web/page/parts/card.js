// The card of a model in a public league, with what a page of one's own needs to show it.

import { element, section } from "../dom.js";
import { publicRecord } from "../site.js";
import { MARKET_NAMES, modelName } from "../words.js";

/** @import { Address } from "../address.js" */

/**
 * Builds the card of a model; null where there is none.
 * @param {Address} address
 * @param {string} model
 */
export async function card({ league, market }, model) {
  const open = await publicRecord(league);
  const source = open?.cards?.[market]?.[model];
  if (!source) {
    return null;
  }
  const title = `${modelName(model)}, ${league.toUpperCase()} ${MARKET_NAMES[market].toLowerCase()}`;
  const page = source.replace(/card\/.*$/, "explore/");
  // This server's own copy: the page may be open at another address than the public one.
  const own = `../${source.slice(source.indexOf("/card/") + 1)}`;
  const picture = element("img", {
    class: "card",
    src: own,
    alt: `Card of ${title}`,
    width: "600",
    height: "315",
    loading: "lazy",
  });
  return section(
    "Share",
    element("p", {}, picture),
    element(
      "p",
      { class: "note" },
      "The card changes with the record. ",
      element("a", { href: own.replace(/svg$/, "png") }, "PNG"),
      ", ",
      element("a", { href: own.replace("/card/", "/badge/") }, "badge"),
      ".",
    ),
    snippet("Markdown", `[![${title}](${source})](${page})`),
    snippet("HTML", `<a href="${page}"><img src="${source}" alt="${title}" width="600" height="315"></a>`),
  );
}

/**
 * @param {string} name
 * @param {string} text
 */
function snippet(name, text) {
  const field = element("textarea", { readonly: true, rows: "3", id: `embed-${name.toLowerCase()}` }, text);
  return element("p", { class: "embed" }, element("label", {}, name, " ", field));
}
