// The page at /verify: its fields, and what they and the file state.

import { element, byId, replace } from "./elements.js";
import { BUNDLED } from "./authorities.js";
import { utf8, words } from "./bytes.js";
import { readLink } from "./link.js";
import { LIMIT, readProof } from "./proof.js";
import { Refused } from "./refusal.js";
import { easternInWords, easternStart, readStart } from "./start.js";
import { factsOf, forecastTable } from "./stated.js";
import { check, refusal } from "./verdict.js";
import { headlineOf, meaningOf } from "./words.js";

/** @import { Proof } from "./proof.js" */
/** @import { Library } from "./tokens.js" */
/** @import { File as Given, Report } from "./verdict.js" */
/** @typedef {"file" | "address" | "person"} Source Who filled in a field. */

const FIELDS = /** @type {const} */ (["log", "start", "witness", "quorum"]);
const SHIPPED = "the authorities that ship with this page";

/** @type {{ proof: Given | null, tokens: Given[], authorities: Given[] }} */
const files = { proof: null, tokens: [], authorities: [] };
/** True once a proof came with the address. */
let isCarried = false;
/** @type {Record<string, Source>} */
const sources = {};
let checks = 0;

const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));

/**
 * Returns the text of a field, and who filled it in; nobody if it is empty.
 * @param {string} id
 */
function valueOf(id) {
  return field(id).value.trim();
}

/**
 * Fills a field in for a person.
 * @param {string} id
 * @param {string} value
 * @param {Source} source
 */
function fill(id, value, source) {
  field(id).value = value;
  sources[id] = source;
}

/**
 * Checks the proof with the fields as they are, and shows the verdict unless another check has begun.
 * @param {boolean} [isTyping] True if a text may be half typed, which is no reason to refuse it.
 */
async function show(isTyping = false) {
  checks += 1;
  const own = checks;
  const verdict = byId("verdict");
  delete verdict.dataset.code;
  delete verdict.dataset.verdict;
  const { proof: given } = files;
  if (given === null) {
    display(null, null);
    return;
  }
  const [proof, refused] = await read(given);
  if (own !== checks) {
    return;
  }
  if (proof) {
    fillStart(proof);
  }
  const isReady = valueOf("log") !== "" && valueOf("start") !== "";
  // What was filled in is checked together; a file that is no proof needs nothing else to be refused.
  const report = isReady ? await check(asked(given), library) : refused;
  if (own === checks) {
    display(proof, isTyping && report?.code === 2 ? null : report);
  }
}

/** Returns the library for timestamps, which has a script of its own in this page. */
const library = async () => /** @type {{ pki: Library }} */ (/** @type {unknown} */ (globalThis)).pki;

/** @param {Given} given */
function asked({ bytes }) {
  const shipped = field("bundled").checked ? [{ name: SHIPPED, bytes: utf8(BUNDLED) }] : [];
  return {
    proof: bytes,
    log: field("log").value,
    start: field("start").value,
    witnesses: field("witness").value,
    quorum: field("quorum").value,
    tokens: files.tokens,
    authorities: [...files.authorities, ...shipped],
  };
}

/**
 * Reads a proof; returns the refusal of one that is none.
 * @param {Given} given
 * @returns {Promise<[Proof, null] | [null, Report]>}
 */
async function read({ bytes }) {
  try {
    return [await readProof(bytes), null];
  } catch (error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    return [null, refusal(error)];
  }
}

/**
 * Fills in the start that the file states, unless somebody else named one.
 * @param {Proof} proof
 */
function fillStart({ game }) {
  if (valueOf("start") === "" || sources.start === "file") {
    fill("start", (game.time && easternStart(game.date, game.time)) ?? "", "file");
  }
}

/**
 * @param {Proof | null} proof
 * @param {Report | null} report
 */
function display(proof, report) {
  displayVerdict(proof, report);
  displayFile(proof, report);
  displayVouchers();
}

/**
 * @param {Proof | null} proof
 * @param {Report | null} report
 */
function displayVerdict(proof, report) {
  const [box, verdict] = [byId("judgement"), byId("verdict")];
  box.hidden = proof === null && report === null;
  delete box.dataset.verdict;
  if (report) {
    box.dataset.verdict = report.verdict ?? "bad_input";
    const hasVoices = valueOf("witness") !== "" || files.authorities.length > 0 || field("bundled").checked;
    byId("headline").textContent = headlineOf(report);
    const isByAddress = sources.log === "address" || sources.witness === "address";
    byId("means").textContent = meaningOf(report, { hasVoices, isByAddress });
    verdict.textContent = report.sentence;
    if (report.verdict) {
      verdict.dataset.verdict = report.verdict;
    }
  } else {
    byId("headline").textContent = "Not checked yet";
    byId("means").textContent = missing();
    verdict.textContent = "";
  }
  replace(byId("notes"), ...(report?.notes ?? []).map((note) => element("li", {}, note)));
  if (report) {
    verdict.dataset.code = String(report.code);
  }
}

/** Names what a check needs and does not have. */
function missing() {
  const names = [
    valueOf("log") === "" && "the key of the league’s log, as the publisher announced it",
    valueOf("start") === "" && "the start of the game, which the file does not state",
  ].filter(Boolean);
  if (names.length === 0) {
    return "The file is whole, and is checked with what you type.";
  }
  return `The file is whole, and its hashes agree with each other. Whether the log signed it shows with ${names.join(", and ")}.`;
}

/**
 * Shows what the file states, and who vouches for each part.
 * @param {Proof | null} proof
 * @param {Report | null} report
 */
function displayFile(proof, report) {
  const source = byId("source");
  source.hidden = files.proof === null;
  source.textContent = isCarried ? "The proof came with the address of this page." : (files.proof?.name ?? "");
  byId("facts").hidden = proof === null;
  byId("forecast-section").hidden = proof === null;
  if (proof === null) {
    byId("forecast").textContent = "";
    return;
  }
  const isSigned = report?.proof !== null && report !== null;
  replace(byId("stated"), ...factsOf(proof, isSigned));
  byId("forecast").textContent = proof.payload;
  byId("forecast-voucher").textContent = isSigned
    ? "by the log, whose key you see above: its leaf is a hash of these very bytes."
    : "by nobody yet: these are the file’s own words.";
  replace(byId("forecast-table"), forecastTable(proof.payload));
}

const VOUCHERS = {
  log: {
    person: "by you, who typed it.",
    address:
      "by whoever gave you the address of this page. Compare it with the key that the publisher announced elsewhere.",
    file: "",
  },
  witness: {
    person: "by you, who typed them.",
    address: "by whoever gave you the address of this page. Compare them with what the witnesses themselves announce.",
    file: "",
  },
  start: {
    person: "by you, who typed it.",
    address: "by whoever gave you the address of this page; change it if you know better.",
    file: "by the publisher’s own words, from the file; change it if you know better.",
  },
};

/** Shows who filled in each field. */
function displayVouchers() {
  for (const [id, texts] of Object.entries(VOUCHERS)) {
    const voucher = byId(`${id}-voucher`);
    const source = valueOf(id) === "" ? null : (sources[id] ?? "person");
    voucher.textContent = source === null ? "" : texts[source];
    voucher.dataset.source = source ?? "";
  }
  byId("start-words").textContent = startInWords();
}

/** Returns the start as a sentence; nothing for a start that is none. */
function startInWords() {
  try {
    return easternInWords(readStart(field("start").value));
  } catch {
    return "";
  }
}

/**
 * @param {File} file
 * @returns {Promise<Given>}
 */
async function readFile(file) {
  return { name: file.name, bytes: new Uint8Array(await file.slice(0, LIMIT + 1).arrayBuffer()) };
}

/**
 * Takes files in place of those before, and checks.
 * @param {Partial<Record<keyof typeof files, File[]>>} chosen
 */
async function take(chosen) {
  // A verdict on other files must not stand, or be shown, while these are read.
  checks += 1;
  delete byId("verdict").dataset.code;
  const { proof, tokens, authorities } = chosen;
  const all = (/** @type {File[]} */ some) => Promise.all(some.map(readFile));
  if (proof) {
    files.proof = (await all(proof))[0] ?? null;
    if (isCarried) {
      // What the address stated of its own proof does not hold for another.
      files.tokens = [];
      isCarried = false;
    }
    if (sources.start === "address") {
      fill("start", "", "file");
    }
  }
  if (tokens) {
    files.tokens = await all(tokens);
  }
  if (authorities) {
    files.authorities = await all(authorities);
  }
  await show();
}

/** Takes what the address carries. */
function takeAddress() {
  const { proof, log, witnesses, start, quorum, tokens, bundled } = readLink(location);
  if (log) {
    fill("log", log, "address");
  }
  if (witnesses.length > 0) {
    fill("witness", witnesses.flatMap(words).join("\n"), "address");
  }
  if (start) {
    fill("start", start, "address");
  }
  if (quorum) {
    fill("quorum", quorum, "address");
  }
  if (tokens.length > 0) {
    files.tokens = tokens.map((bytes, at) => ({ name: `timestamp ${at + 1}`, bytes }));
  }
  field("bundled").checked ||= bundled;
  /** @type {HTMLDetailsElement} */ (byId("stamps")).open ||= bundled || tokens.length > 0 || quorum !== "";
  if (proof) {
    files.proof = { name: "", bytes: proof };
    isCarried = true;
  }
  void show();
}

const inputs = /** @type {const} */ ({ proof: "proof", token: "tokens", authority: "authorities" });
for (const [id, name] of Object.entries(inputs)) {
  byId(id).addEventListener("change", () => void take({ [name]: [...(field(id).files ?? [])] }));
}
/** The time after the last keystroke after which a text is taken as typed to its end. */
const PAUSE = 800;
let pause = 0;

for (const id of FIELDS) {
  byId(id).addEventListener("input", (event) => {
    sources[id] = "person";
    const isTyped = event instanceof InputEvent && event.inputType === "insertText";
    clearTimeout(pause);
    pause = isTyped ? setTimeout(() => void show(), PAUSE) : 0;
    void show(isTyped);
  });
  byId(id).addEventListener("change", () => void show());
}
byId("bundled").addEventListener("change", () => void show());

const overDrop = (/** @type {boolean} */ isOver) => byId("drop").toggleAttribute("data-over", isOver);
addEventListener("dragover", (event) => {
  event.preventDefault();
  overDrop(true);
});
addEventListener("dragleave", () => overDrop(false));
addEventListener("drop", (event) => {
  event.preventDefault();
  overDrop(false);
  const dropped = [...(event.dataTransfer?.files ?? [])];
  const isOfEnding = (/** @type {string[]} */ ...endings) =>
    dropped.filter(({ name }) => endings.some((ending) => name.endsWith(ending)));
  const [stamps, certificates] = [isOfEnding(".tsr"), isOfEnding(".pem", ".crt")];
  const proof = dropped.find((file) => !stamps.includes(file) && !certificates.includes(file));
  void take({
    ...(proof && { proof: [proof] }),
    ...(stamps.length > 0 && { tokens: stamps }),
    ...(certificates.length > 0 && { authorities: certificates }),
  });
});

addEventListener("hashchange", takeAddress);
// A copy on disk has no server around it.
byId("nav").hidden = !location.protocol.startsWith("http");
takeAddress();
