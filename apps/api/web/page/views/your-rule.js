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

/** @import { Child } from "../dom.js" */
/** @import { Context } from "../main.js" */
/** @import { Backtest } from "../rule.js" */

/** The last answer, which stays on the page, pale, until the next one is there. @type {HTMLElement | null} */
let former = null;

/** @param {Context} context */
export async function yourRule({ address, signal, ofSeason }) {
  const { league: sport, market: model_type } = address;
  let asked = /** @type {Promise<Backtest> | null} */ (backtest(address, signal));
  // A failure is displayed where the answer would be.
  asked?.catch(() => {});
  const [status, league, { seasons }] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path: { sport, model_type }, signal }),
  ]);
  const form = ruleForm(address, league, seasons);
  /** @returns {Promise<Child[]>} */
  const ask = async () => {
    const answer = asked ?? backtest(address, signal);
    asked = null;
    try {
      return shown(await answer);
    } catch (error) {
      if (error instanceof Refusal && [400, 404].includes(error.status)) {
        return [refused(form, error)];
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
    former = element("div", { class: "backtest" }, ruleAnswer(address, answer));
    return [former];
  };
  const old = former?.isConnected ? element("div", { class: "board old" }, former) : null;
  return [
    leagueStatus(status),
    section(
      "Your rule",
      form,
      later({ address, signal }, ask, (parts) => parts, old),
    ),
  ];
}

/**
 * Displays the API's reason below the controls, and marks the control that it names.
 * @param {HTMLFormElement} form
 * @param {Refusal} refusal
 */
function refused(form, { message }) {
  const name = message.match(/^`(\w+)`/)?.[1];
  const control = name && form.querySelector(`[name=${name}]`);
  if (control) {
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", "rule-refused");
  }
  return element("p", { class: "notice alert", role: "alert", id: "rule-refused" }, message);
}
