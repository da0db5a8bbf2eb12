import assert from "node:assert/strict";
import test from "node:test";

import { fromAddress, forAddress, hex, joined, utf8 } from "../bytes.js";
import { followChain } from "../chain.js";
import { readLink, writeLink } from "../link.js";
import { readForecast } from "../opening.js";
import { readProof, signersOf } from "../proof.js";
import { easternInWords, easternStart, lasting, readStart, written } from "../start.js";
import { bundlesOf, compareEntries, leavesOf, rootOf } from "../tree.js";
import { readKey } from "../keys.js";
import { LEAVES, LOG, PAYLOAD, ROOT, base64, makeKey, makeProof } from "./made.mjs";

test("an Eastern start is an instant; one that occurs twice is the first, a skipped one goes on from standard time", () => {
  for (const [date, time, start] of [
    ["2024-01-06", "16:30:00", "2024-01-06T21:30:00Z"],
    ["2024-07-06", "16:30:00", "2024-07-06T20:30:00Z"],
    ["2024-11-03", "01:30:00", "2024-11-03T05:30:00Z"],
    ["2024-11-03", "02:30:00", "2024-11-03T07:30:00Z"],
    ["2024-03-10", "02:30:00", "2024-03-10T07:30:00Z"],
    ["2024-03-10", "01:59:59", "2024-03-10T06:59:59Z"],
    ["2024-03-10", "03:00:00", "2024-03-10T07:00:00Z"],
  ]) {
    assert.equal(written(readStart(easternStart(date, time))), start);
  }
  assert.equal(easternStart("2024-13-01", "16:30:00"), null);
  assert.equal(
    easternInWords(readStart("2024-01-06T21:30:00Z")).replace(/\s/g, " "),
    "Saturday, January 6, 2024 at 4:30 PM Eastern",
  );
});

test("a start needs an offset and a date that exists", () => {
  for (const text of ["", "yesterday", "2024-01-06T21:30:00", "2024-02-30T00:00:00Z", "2201-01-01T00:00:00Z"]) {
    assert.throws(() => readStart(text), { code: 2 }, text);
  }
});

test("a duration is never longer than it was", () => {
  for (const [seconds, text] of [
    [46_799n, "12 hours"],
    [46_800n, "13 hours"],
    [172_799n, "47 hours"],
    [200_000n, "2 days"],
    [119n, "1 minute"],
    [0n, "0 seconds"],
  ]) {
    assert.equal(lasting(seconds), text);
  }
});

test("a payload is read in one way, or not at all", () => {
  const { stated, lines, probabilities } = readForecast(PAYLOAD);
  assert.equal(stated.get("clock"), "set");
  assert.deepEqual(
    [...lines],
    [
      ["home_money_line", "130"],
      ["away_money_line", "-155"],
    ],
  );
  assert.deepEqual([...probabilities], [["BLEND", "0.5661"]]);
  for (const [from, to] of [
    ['{"BLEND":0.5661}', '{"BLEND":0.5661,"BLEND":0.4}'],
    ["0.5661}}", '0.5661},"probabilities":{"BLEND":0.4}}'],
    ['"release_id"', '"release_id":"other","release_id"'],
    ["0.5661", '"0.5661"'],
    ["0.5661", "05661"],
  ]) {
    assert.equal(readForecast(PAYLOAD.replace(from, to)), null, to);
  }
});

test("an address carries a proof and its keys, and gives both back", async () => {
  const proof = utf8(await makeProof());
  const tokens = [new Uint8Array([0, 250, 251, 252, 253, 254, 255])];
  const carried = {
    proof,
    log: LOG.vkey,
    witnesses: ["a+b+c/d=", "e+f"],
    start: "",
    quorum: "1",
    tokens,
    bundled: true,
  };
  const hash = writeLink(carried);
  assert.match(hash, /^#[A-Za-z0-9%=&._-]+$/);
  assert.deepEqual(readLink({ search: "", hash }), carried);
  assert.deepEqual(readLink({ search: "?log=x%2By", hash: "" }).log, "x+y");
  assert.equal(readLink({ search: "", hash: "#proof=%21" }).proof, null);
  assert.deepEqual(fromAddress(forAddress(proof)), proof);
});

test("of several keys of one log the one that signed is found", async () => {
  const later = await makeKey(LOG.name, 1);
  const keys = await Promise.all([later, LOG].map(({ vkey }) => readKey(vkey, 1)));
  const { checkpoint } = await readProof(utf8(await makeProof()));
  assert.deepEqual(
    signersOf(checkpoint, keys).map(({ vkey }) => vkey),
    [LOG.vkey],
  );
});

test("the root of leaves is that of RFC 6962", async () => {
  assert.equal(base64(await rootOf([])), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  assert.equal(base64(await rootOf(LEAVES)), ROOT);
  // The test vectors of certificate transparency.
  const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
  const leaves = inputs.map((digits) => Uint8Array.from(Buffer.from(digits, "hex")));
  const roots = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ];
  for (const [at, root] of roots.entries()) {
    assert.equal(hex(await rootOf(leaves.slice(0, at + 1))), root, String(at + 1));
  }
});

test("bundles are named by C2SP tlog-tiles and hold their leaves", () => {
  assert.deepEqual(bundlesOf(0), []);
  assert.deepEqual(bundlesOf(300), [
    { path: "entries/000", width: 256 },
    { path: "entries/001.p/44", width: 44 },
  ]);
  assert.equal(bundlesOf(256 * 1067 + 1).at(-1).path, "entries/x001/067.p/1");
  const bundle = joined(...LEAVES.map((leaf) => joined([leaf.length >> 8, leaf.length & 255], leaf)));
  assert.deepEqual(leavesOf(bundle, 2), LEAVES);
  for (const [cut, width] of [
    [bundle.slice(0, -1), 2],
    [bundle, 3],
    [bundle.slice(0, 1), 0],
  ]) {
    assert.throws(() => leavesOf(cut, width), { code: 1 });
  }
});

const entry = (generation, sha256, previous) => ({ generation, sha256, previous });

test("a chain is followed from its head to where it breaks", () => {
  const entries = [entry(4, "d", "c"), entry(2, "c", "a"), entry(1, "a", null)];
  assert.deepEqual(followChain("d", entries), { linked: 3, isWhole: true, fault: null });
  assert.deepEqual(followChain("d", entries.slice(0, 2)), { linked: 2, isWhole: false, fault: null });
  assert.match(followChain("x", entries).fault, /entry 4 .* the head names/);
  const broken = followChain("d", [entries[0], entry(2, "b", "a"), entries[2]]);
  assert.deepEqual([broken.linked, broken.isWhole], [1, false]);
  assert.match(broken.fault, /entry 2 .* entry 4 names/);
  assert.match(followChain("d", [entries[0], entry(5, "c", null)]).fault, /Entry 5 stands after entry 4/);
});

test("the leaves of a tree name the entries of the list", () => {
  const second = utf8(`sports-record/v1 release\nnfl 2 2024-01-07T15:00:00.000Z set\nsha256:${"a".repeat(64)}\n`);
  const earlier = utf8(`sports-record/v1 earlier\nnfl 1 2024-01-06T15:00:00.000Z set\nsha256:${"a".repeat(64)}\n`);
  const entries = [entry(2, "b".repeat(64), "a".repeat(64)), entry(1, "a".repeat(64), null)];
  assert.deepEqual(compareEntries([...LEAVES, second, earlier], entries), { named: 3, differs: null });
  const other = [entries[0], entry(1, "c".repeat(64), null)];
  assert.deepEqual(compareEntries([second, earlier], other), { named: 1, differs: 1 });
  assert.equal(compareEntries([second], [entry(2, "b".repeat(64), "c".repeat(64))]).differs, 2);
});
