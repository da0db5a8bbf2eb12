// What a figure is passed on by: its link, its commands, and the words of a wait.

import assert from "node:assert/strict";
import { test } from "node:test";

// Modules of requests read the address of the page when they are loaded.
Object.assign(globalThis, {
  document: { baseURI: "http://localhost/explore/" },
  location: { search: "" },
  sessionStorage: { getItem: () => null },
});
const { figureLink, read, write } = await import("../page/address.js");
const { commands } = await import("../page/parts/calls.js");
const { csv } = await import("../page/parts/csv.js");
const { wait } = await import("../page/format.js");

const LEAGUES = /** @type {const} */ (["nba", "nfl"]);

test("a link of a figure has the view's address below its name, and leads back to it", () => {
  for (const hash of [
    "#/track-record/nba/won_on_spread?season=2024-25&models=BLEND%2CXGB",
    "#/overview/nba/won_on_points",
    "#/game/nfl/nfl-2026-01-11-buffalo_bills-miami_dolphins?market=over_under",
  ]) {
    const separator = hash.includes("?") ? "&" : "?";
    const address = read(`${hash}${separator}figure=curves`, LEAGUES);
    const link = figureLink(address, "curves");
    assert.equal(link, `figure/curves/${hash.slice("#/".length)}`);
    // As the server leads on.
    const [, , ...rest] = new URL(link, "http://localhost/").pathname.split("/");
    assert.equal(rest.length, 4);
    assert.equal(write(read(`#/${link.split("/").slice(2).join("/")}`, LEAGUES)), hash);
  }
  assert.ok(figureLink(read("#/today/nba", LEAGUES), "a b/c").startsWith("figure/a%20b%2Fc/today/"));
});

test("a command has the key where one is needed", () => {
  const template = "/api/v1/data-status/{sport}";
  const path = { sport: "nba" };
  const url = "http://localhost/api/v1/data-status/nba";
  assert.equal(
    commands([
      { template, path, isPublic: true },
      { template, path },
    ]),
    `curl '${url}'\ncurl -H "X-API-Key: $SPORTS_API_KEY" '${url}'`,
  );
});

test("a file quotes what would end a field", () => {
  assert.equal(
    csv(
      ["a", "b"],
      [
        ['say "x"', null],
        ["1,2", 3],
      ],
    ),
    'a,b\r\n"say ""x""",\r\n"1,2",3\r\n',
  );
});

test("a wait is in the unit that a person thinks in", () => {
  for (const [seconds, words] of [
    [1, "in 1 s"],
    [89, "in 89 s"],
    [90, "in 2\u00a0min"],
    [3600, "in 60\u00a0min"],
    [5400, "in 2\u00a0h"],
    [100_000, "in 28\u00a0h"],
    [200_000, "in 2 days"],
  ]) {
    assert.equal(wait(/** @type {number} */ (seconds)), words);
  }
});
