// A rule of the reader's own, which Strategies shows: its sentence of controls, and its backtest.

import { carried } from "../address.js";
import { Refusal, get } from "../api.js";
import { element, section } from "../dom.js";
import { counted } from "../format.js";
import { key } from "../key.js";
import { modelsOf } from "../models.js";
import { keyNeeded } from "../parts/key-form.js";
import { later } from "../parts/later.js";
import { ruleAnswer } from "../parts/rule-answer.js";
import { ruleForm } from "../parts/rule-form.js";
import { leagueStatus } from "../parts/status.js";
import { backtest } from "../rule.js";

/** @import { Children } from "../dom.js" */
/** @import { Context } from "../main.js" */
/** @import { Backtest } from "../rule.js" */

/** @param {Context} context */
export async function yourRule({ address, signal, keep, ofSeason }) {
  /** The last answer, which stays on the page, pale, until the next one is there. */
  const former = keep("backtest", /** @type {Children} */ (null));
  const invalid = keep("invalid", "");
  invalid.value = "";
  const { league: sport, market: model_type } = address;
  let asked = /** @type {Promise<Backtest> | null} */ (backtest(address, signal));
  // A failure is displayed where the answer would be.
  asked?.catch(() => {});
  const [status, league, { seasons }] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path: { sport, model_type }, signal }),
  ]);
  /** @returns {Promise<Children>} */
  const ask = async () => {
    const answer = asked ?? backtest(address, signal);
    asked = null;
    try {
      return shown(await answer);
    } catch (error) {
      if (error instanceof Refusal && [400, 404].includes(error.status)) {
        invalid.value = error.message.match(/^`(\w+)`/)?.[1] ?? "";
        return element("p", { class: "notice alert", role: "alert", id: "rule-refused" }, error.message);
      }
      if (error instanceof Refusal && error.status === 401 && key() === null) {
        return [await keyNeeded(carried(address), error.message)];
      }
      throw error;
    }
  };
  const shown = (/** @type {Backtest} */ answer) => {
    const { seasons: of } = answer;
    ofSeason(of.length === 1 ? of[0] : counted(of.length, "season"));
    former.value = element("div", { class: "backtest" }, ruleAnswer(address, answer));
    return former.peek();
  };
  const old = former.peek() ? element("div", { class: "board old" }, former.peek()) : null;
  return [
    leagueStatus(status),
    section(
      "Your rule",
      ruleForm(address, league, seasons, invalid),
      later({ address, signal }, ask, (parts) => parts, old),
    ),
  ];
}
