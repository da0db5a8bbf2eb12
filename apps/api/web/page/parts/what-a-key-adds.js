// What a key adds to an open record.

import { element } from "../dom.js";
import { howToGetAKey } from "./key-form.js";

/** @import { PublicLeague } from "../site.js" */

/** @param {PublicLeague} open */
export async function whatAKeyAdds({ public: part, models_hidden: hidden }) {
  const more = part === "all" ? "games that have not started" : "the season under way, games that have not started";
  const models =
    hidden === 0 ? "" : hidden === 1 ? ", a model that is not public" : `, ${hidden} models that are not public`;
  return element(
    "p",
    { class: "note", id: "public-record" },
    `This record is open to everybody. With a key you see ${more}${models}, and earlier moments. `,
    await howToGetAKey(),
  );
}
