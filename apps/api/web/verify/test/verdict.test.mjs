import assert from "node:assert/strict";
import test from "node:test";

import { utf8 } from "../bytes.js";
import { check } from "../verdict.js";
import { headlineOf, meaningOf } from "../words.js";
import { COSIGNED, LOG, PAYLOAD, WITNESS, makeKey, makeProof } from "./made.mjs";

const START = "2024-01-06T16:30:00-05:00";
const unneeded = () => assert.fail("no timestamp is read");

async function checked(proof, given = {}) {
  const asked = { log: LOG.vkey, start: START, witnesses: WITNESS.vkey, quorum: "", tokens: [], authorities: [] };
  return check({ ...asked, proof: utf8(proof), ...given }, unneeded);
}

test("a forecast that a witness had before the start is proven", async () => {
  const report = await checked(await makeProof());
  assert.deepEqual([report.code, report.verdict], [0, "proven"]);
  const said =
    "proven: witness.example.com/w1 received the checkpoint at 2024-01-06T15:00:01Z, before 2024-01-06T21:30:00Z";
  assert.equal(report.sentence, said);
  assert.deepEqual(report.voices, [{ name: WITNESS.name, kind: "witness", time: COSIGNED }]);
  assert.equal(headlineOf(report), "Proven: 6 hours before the start");
});

test("without a voice before the start it is logged", async () => {
  const proof = await makeProof();
  for (const given of [{ witnesses: "" }, { start: "2024-01-06T15:00:01Z" }, { start: "2024-01-06T15:00:00Z" }]) {
    const { code, verdict, proof: read } = await checked(proof, given);
    assert.deepEqual([code, verdict, read.payload], [3, "logged", PAYLOAD]);
  }
  const silent = await checked(await makeProof({ time: 0n }));
  assert.equal(silent.code, 3);
});

test("a quorum needs all that are named, or as many as it states", async () => {
  const other = await makeKey("witness.example.com/w2", 4);
  const proof = await makeProof();
  const witnesses = `${WITNESS.vkey}\n${other.vkey}`;
  assert.equal((await checked(proof, { witnesses })).code, 3);
  assert.equal((await checked(proof, { witnesses, quorum: "1" })).code, 0);
  for (const quorum of ["0", "3", "some"]) {
    assert.equal((await checked(proof, { witnesses, quorum })).code, 2, quorum);
  }
  assert.equal((await checked(proof, { witnesses: `${WITNESS.vkey} ${WITNESS.vkey}` })).code, 2);
});

test("an altered file is not proven, and the words name the likely cause", async () => {
  const proof = await makeProof();
  const lines = proof.split("\n");
  const altered = (at, line) => lines.with(at, line).join("\n");
  const other = await makeProof({ payload: PAYLOAD.replace("0.5661", "0.5662") });
  for (const [file, cause] of [
    ["", /nothing in it/],
    ['{"error":"HTTP_404"}', /another kind of file/],
    [proof.slice(0, 700), /no whole proof/],
    [proof.slice(0, -1), /no whole proof/],
    [other, /not the one that the log committed to/],
    [altered(2, "index 0"), /hashes do not lead/],
    [
      altered(
        3,
        lines[3].replace(/./, (first) => (first === "A" ? "B" : "A")),
      ),
      /hashes do not lead/,
    ],
    [altered(6, "3"), /hashes do not lead|altered after it was signed|another length|no whole proof/],
    [altered(9, `${lines[9].slice(0, -4)}AAA=`), /altered after it was signed|no whole proof/],
  ]) {
    const report = await checked(file);
    assert.deepEqual([report.code, report.verdict, report.proof], [1, "not_proven", null], report.sentence);
    assert.match(meaningOf(report, { hasVoices: true, isByAddress: false }), cause, report.sentence);
  }
});

test("another key than the one that signed proves nothing", async () => {
  const proof = await makeProof();
  const sameName = await makeKey(LOG.name, 1);
  const otherLog = await makeKey("example.com/api/v1/record/nba", 1);
  const [again, elsewhere] = [
    await checked(proof, { log: sameName.vkey }),
    await checked(proof, { log: otherLog.vkey }),
  ];
  assert.deepEqual([again.code, elsewhere.code], [1, 1]);
  assert.match(again.sentence, /is not signed by/);
  assert.match(elsewhere.sentence, /is one of .*\/nfl, not of .*\/nba/);
  // A witness is no log, and a key that was cut is none.
  for (const log of [WITNESS.vkey, LOG.vkey.slice(0, -2), ""]) {
    assert.equal((await checked(proof, { log })).code, 2, log);
  }
});

test("a timestamp needs the certificate of its authority", async () => {
  const library = async () => import("../pkijs.js");
  const proof = utf8(await makeProof());
  const asked = { proof, log: LOG.vkey, start: START, witnesses: "", quorum: "", authorities: [] };
  const token = { name: "stamp.tsr", bytes: utf8("no token") };
  const bare = await check({ ...asked, tokens: [token] }, library);
  assert.match(bare.sentence, /needs the certificate/);
  const { BUNDLED } = await import("../authorities.js");
  const authorities = [{ name: "shipped", bytes: utf8(BUNDLED) }];
  const unread = await check({ ...asked, tokens: [token], authorities }, library);
  assert.match(unread.sentence, /not the reply of a timestamp authority/);
  assert.equal((await check({ ...asked, tokens: [], authorities }, library)).code, 3);
});
