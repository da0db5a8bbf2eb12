// The proof of a game's forecast: a button that fetches it, checks it in this browser, and shows a receipt.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Refusal, addressOf, file, get } from "../api.js";
import { element, part } from "../dom.js";
import { count, instant } from "../format.js";
import { utf8 } from "../../verify/bytes.js";
import { LOG, readKey } from "../../verify/keys.js";
import { writeLink } from "../../verify/link.js";
import { readForecast } from "../../verify/opening.js";
import { readProof, signersOf } from "../../verify/proof.js";
import { Refused } from "../../verify/refusal.js";
import { easternStart, lasting } from "../../verify/start.js";
import { check, refusal } from "../../verify/verdict.js";
import { headlineOf, meaningOf } from "../../verify/words.js";
import { folded } from "./figure.js";
import { keepFile } from "./keep-file.js";
import { modelName } from "../words.js";
import { table } from "./table.js";

/** @import { Child, Children } from "../dom.js" */
/** @import { Carried } from "../../verify/link.js" */
/** @import { Asked, File as Given, Report, Verdict } from "../../verify/verdict.js" */
/**
 * @typedef {object} ProvenGame
 * @property {string} id
 * @property {boolean} isLive
 * @property {string | null} [date] The Eastern date and time of the start in force; those of the proof if there are none.
 * @property {string | null} [time]
 */
/** @typedef {{ report: Report, carried: Partial<Carried>, isByFile: boolean }} Checked True if the start is the file's. */

/**
 * Builds the button; null for a game without a live forecast, which has no proof.
 * @param {string} sport
 * @param {string} market
 * @param {ProvenGame} game
 */
export function proofOf(sport, market, game) {
  if (!game.isLive) {
    return null;
  }
  return part(Proof, { sport, market, game, key: `${market}-${game.id}` });
}

/** @param {{ sport: string, market: string, game: ProvenGame }} props */
function Proof({ sport, market, game }) {
  const name = `prove-${market}-${game.id}`.replace(/[^A-Za-z0-9]+/g, "-");
  const said = useSignal(/** @type {Children} */ (null));
  const verdict = useSignal(/** @type {Verdict | null} */ (null));
  // A disabled button would lose the focus.
  const isBusy = useRef(false);
  const prove = async () => {
    if (isBusy.current) {
      return;
    }
    isBusy.current = true;
    verdict.value = null;
    said.value = element("p", {}, "The proof is fetched and checked in this browser.");
    try {
      const query = { model_type: market, game_id: game.id };
      const proof = await file("/api/v1/record/{sport}/proof", { path: { sport }, query });
      const bytes = new Uint8Array(await proof.arrayBuffer());
      const checked = await checkHere({ ...game, sport, market }, bytes);
      verdict.value = checked.report.verdict;
      said.value = receipt(name, checked, () => keepFile(proof, `${game.id}.${market}.tlog-proof`));
    } catch (error) {
      said.value = failed(error);
    }
    isBusy.current = false;
  };
  const attributes = { type: "button", class: "prove", id: name, "data-verdict": verdict.value };
  return element(
    "div",
    { class: "proof" },
    element("button", { ...attributes, on: { click: () => void prove() } }, "Prove this forecast"),
    element("div", { role: "status" }, said.value),
  );
}

/** @param {unknown} error */
function failed(error) {
  if (error instanceof Refusal && error.status === 404) {
    return [frame("not_proven", "Not proven", [element("p", {}, `${error.message}.`)])];
  }
  return [element("p", {}, error instanceof Refusal ? `${error.message}.` : "The server does not answer; try again.")];
}

/**
 * Checks a proof by the keys that this server states, with the timestamps of its checkpoint. Any one voice is enough.
 * @param {ProvenGame & { sport: string, market: string }} of
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Checked>}
 */
async function checkHere({ id, sport, market, date, time }, bytes) {
  try {
    const proof = await readProof(bytes);
    const { away, home, ...stated } = proof.game;
    if (stated.sport !== sport || stated.market !== market || !id.includes(`-${away}-${home}`)) {
      throw new Refused(1, "this server sent the proof of another game");
    }
    const { origin, size } = proof.checkpoint;
    const { keys, witnesses } = await get("/api/v1/record/keys");
    const own = keys.filter((key) => key.sport === sport && key.vkey.startsWith(`${origin}+`));
    const known = await Promise.all(own.map(({ vkey }) => readKey(vkey, LOG)));
    const [signer] = signersOf(proof.checkpoint, known);
    if (!signer) {
      throw new Refused(1, `this server states no key of ${origin} that signed the checkpoint`);
    }
    const tokens = await tokensOf(own[0].path, Number(size));
    const authorities = tokens.length > 0 ? await shipped() : [];
    const current = date && time ? easternStart(date, time) : null;
    const ownStart = stated.time && easternStart(stated.date, stated.time);
    const start = current ?? ownStart;
    if (!start) {
      throw new Refused(1, "nobody states the time at which the game starts");
    }
    const asked = { proof: bytes, log: signer.vkey, start, witnesses: witnesses.join("\n") };
    const { report, heard } = await checkWith(asked, witnesses.length, tokens, authorities);
    const hasChoice = witnesses.length + (heard.length > 0 ? 1 : 0) > 1;
    const carried = {
      ...{ proof: bytes, log: signer.vkey, witnesses, tokens: heard, bundled: heard.length > 0 },
      ...{ start: start === ownStart ? "" : start, quorum: hasChoice ? "1" : "" },
    };
    return { report, carried, isByFile: current === null };
  } catch (error) {
    if (error instanceof Refused) {
      return { report: refusal(error), carried: { proof: bytes }, isByFile: false };
    }
    throw error;
  }
}

/**
 * Checks a proof by any one voice; returns the timestamps that were read, too. One that is none leaves the verdict to the witnesses.
 * @param {Pick<Asked, "proof" | "log" | "start" | "witnesses">} asked
 * @param {number} witnesses
 * @param {Uint8Array<ArrayBuffer>[]} tokens
 * @param {Given[]} authorities
 */
async function checkWith(asked, witnesses, tokens, authorities) {
  const library = () => beside("pkijs.js");
  const by = (/** @type {Given[]} */ stamps, /** @type {Given[]} */ trusted) => {
    const quorum = witnesses + trusted.length > 1 ? "1" : "";
    return check({ ...asked, quorum, tokens: stamps, authorities: trusted }, library);
  };
  const named = tokens.map((bytes, at) => ({ name: `timestamp ${at + 1}`, bytes }));
  const report = await by(named, authorities);
  if (report.code !== 2 || tokens.length === 0) {
    return { report, heard: tokens };
  }
  const bare = await by([], []);
  const note = report.sentence.replace(/^\w+: (?:--token )?/, "not counted: ");
  return { report: { ...bare, notes: [...bare.notes, note] }, heard: [] };
}

/**
 * Requests the timestamps of a checkpoint.
 * @param {string} record The path of the record.
 * @param {number} size
 */
async function tokensOf(record, size) {
  const list = /** @type {"/api/v1/record/{sport}/checkpoints"} */ (`${record}/checkpoints`);
  const { checkpoints } = await get(list, { query: { from_size: size, limit: 1 } });
  const names = checkpoints.find((checkpoint) => checkpoint.size === size)?.timestamps ?? [];
  const token = async (/** @type {string} */ name) => {
    const path = /** @type {"/api/v1/record/keys"} */ (`${record}/checkpoints/${size}/timestamps/${name}`);
    return new Uint8Array(await (await file(path, {})).arrayBuffer());
  };
  return Promise.all(names.map(token));
}

/**
 * Loads a file that is served beside the bundle, since few visitors need it.
 * @param {string} name
 */
function beside(name) {
  return import(new URL(`./${name}`, import.meta.url).href);
}

/** Loads the certificates of public timestamp authorities, which ship with the page and are one voice. */
async function shipped() {
  const { BUNDLED } = await beside("authorities.js");
  return [{ name: "a public timestamp authority", bytes: utf8(BUNDLED) }];
}

/**
 * @param {string} name Names the proof among all of the page.
 * @param {Checked} checked
 * @param {() => void} keep Saves the file of the proof.
 */
function receipt(name, { report, carried, isByFile }, keep) {
  const { verdict, proof } = report;
  const actions = element(
    "p",
    { class: "actions" },
    element("a", { class: "action", id: `${name}-elsewhere`, href: elsewhere(carried) }, "Check it elsewhere"),
    element("button", { type: "button", class: "action", id: `${name}-save`, on: { click: keep } }, "Save the proof"),
  );
  if (proof === null) {
    const reason = report.sentence.replace(/^\w+: /, "");
    return frame(verdict, verdict === null ? "Not checked" : headlineOf(report), [
      element("p", {}, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`),
      verdict !== null && element("p", {}, meaningOf(report, { hasVoices: true, isByAddress: false })),
      actions,
    ]);
  }
  const stated = readForecast(proof.payload)?.stated;
  return frame(verdict, headlineOf(report), [
    element("dl", {}, ...linesOf(report, stated?.get("published_at") ?? null, isByFile)),
    element(
      "p",
      { class: "by" },
      carried.bundled
        ? "Checked in this browser, by the keys that this server states and the public authorities whose certificates ship with the page. "
        : "Checked in this browser, by the keys that this server states. ",
      stated?.get("clock") === "set" &&
        "The clock of the release was set by hand: a record that is simulated proves nothing beyond itself.",
    ),
    ...report.notes.map((note) => element("p", {}, note)),
    folded("The forecast that was committed", () => committed(name, proof.payload)),
    actions,
  ]);
}

/**
 * @param {Report} report
 * @param {string | null} published
 * @param {boolean} isByFile
 */
function linesOf({ proof, voices, start }, published, isByFile) {
  if (proof === null || start === null) {
    return [];
  }
  const { index, checkpoint } = proof;
  const at = (/** @type {bigint} */ seconds) => instant(new Date(Number(seconds) * 1000).toISOString());
  const heard = voices.map(({ name, kind, time }) => [
    kind === "witness" ? "Received" : "Stamped",
    `${at(time)} by ${name}, ${time < start ? `${lasting(start - time)} before the start` : "not before the start"}`,
  ]);
  const lines = [
    ["In the log", `since ${instant(published)}, by the publisher’s clock`],
    ["Place", `leaf ${count(Number(index))} of the ${count(Number(checkpoint.size))} that the log signed`],
    ["Signed by", checkpoint.origin],
    ...(heard.length > 0
      ? heard
      : [
          [
            "Received",
            "by no witness whose key this server states, and by no timestamp authority whose certificate ships with the page",
          ],
        ]),
    ["Start", `${at(start)}, by ${isByFile ? "the publisher’s words in the proof" : "this server"}`],
  ];
  return lines.flatMap(([head, text]) => [element("dt", {}, head), element("dd", {}, text)]);
}

/**
 * @param {string} name
 * @param {string} payload
 */
function committed(name, payload) {
  const forecast = readForecast(payload);
  if (forecast === null) {
    return element("pre", {}, payload);
  }
  const rows = [...forecast.probabilities].map(([model, number]) => ({
    id: `${name}-${model}`,
    cells: [modelName(model), number],
  }));
  const columns = [{ head: "Model" }, { head: "Probability", number: true, hint: "Of the home team, or of the over." }];
  return table({ caption: "Probabilities as they were committed", columns, rows });
}

/**
 * Returns the address of the verifier with the proof and the keys.
 * @param {Partial<Carried>} carried
 */
function elsewhere(carried) {
  return `${addressOf("/verify", {}, {}).href}${writeLink(carried)}`;
}

/**
 * @param {Verdict | null} verdict
 * @param {string} headline
 * @param {Child[]} content
 */
function frame(verdict, headline, content) {
  return element(
    "section",
    { class: "receipt", "data-verdict": verdict, "aria-label": "Receipt" },
    element("p", { class: "headline" }, element("strong", {}, headline)),
    ...content,
  );
}
