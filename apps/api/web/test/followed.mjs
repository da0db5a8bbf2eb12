// The rules of picks and bets, at the numbers that decide.

import assert from "node:assert/strict";
import { test } from "node:test";

// Modules of requests read the address of the page when they are loaded.
Object.assign(globalThis, { document: { baseURI: "http://localhost/explore/" }, location: { search: "" } });
const { baselineOf, besideBaseline, expectedValue, gradeOf, taken, takenOf, tally } =
  await import("../page/followed.js");

const ML = "won_on_points";
const of = (which, probability, prices, values) => {
  const { side, reason, named } = taken(which, ML, { probability, prices, values });
  return [side, reason, named];
};

test("a pick is the side above one half", () => {
  assert.deepEqual(of("picks", 0.51, [null, null]), ["home", "", "home"]);
  assert.deepEqual(of("picks", 0.49, [-110, -110]), ["away", "", "away"]);
});

test("exactly one half is no pick", () => {
  assert.equal(of("picks", 0.5, [-110, -110])[1], "no pick");
  assert.equal(of("picks", 0.5, [-110, -110])[0], null);
});

test("a game without a forecast has neither", () => {
  assert.deepEqual(of("picks", null, [-110, -110]).slice(0, 2), [null, "no forecast"]);
  assert.deepEqual(of("bets", undefined, [-110, -110]).slice(0, 2), [null, "no forecast"]);
});

test("a bet is the side of greater expected value, which may be the other one than the pick", () => {
  assert.ok(Math.abs(expectedValue(0.4, 180) - 0.12) < 1e-12);
  assert.ok(Math.abs(expectedValue(0.6, -200) + 0.1) < 1e-12);
  assert.deepEqual(of("bets", 0.6, [-200, 180]), ["away", "", "away"]);
  assert.deepEqual(of("picks", 0.6, [-200, 180]), ["home", "", "home"]);
});

test("no value above zero is no bet, and the row names the better side", () => {
  assert.deepEqual(of("bets", 0.52, [-110, -110]), [null, "no bet", "home"]);
  assert.deepEqual(of("bets", 0.5, [100, 100]), [null, "no bet", "home"], "zero is not above zero");
});

test("of equal values the model's side is the bet", () => {
  assert.deepEqual(of("bets", 0.5, [110, 110]), ["home", "", "home"]);
  assert.deepEqual(of("bets", 0.4, [200, 200], [0.2, 0.2]), ["away", "", "away"]);
});

test("a bet needs both prices", () => {
  assert.deepEqual(of("bets", 0.6, [100, null]).slice(0, 2), [null, "no price"]);
  assert.deepEqual(of("bets", 0.6, [null, null]).slice(0, 2), [null, "no price"]);
});

test("the served values decide where there are any", () => {
  assert.deepEqual(of("bets", 0.6, [-110, -110], [-0.01, 0.02]), ["away", "", "away"]);
});

const game = (fields) => ({
  graded: true,
  push: false,
  won_on_points: 1,
  home_money_line: -200,
  away_money_line: 180,
  BLEND: 0.6,
  IMPLIED: 0.65,
  ...fields,
});

test("a push is no win, and a game without a final has no grade", () => {
  assert.equal(gradeOf("home", ML, game({})), "won");
  assert.equal(gradeOf("away", ML, game({})), "lost");
  assert.equal(gradeOf("home", ML, game({ graded: false, push: true })), "pushed");
  assert.equal(gradeOf("home", ML, game({ graded: false, push: null })), "none");
  assert.equal(gradeOf(null, ML, game({})), "none");
});

test("the baseline is of the games that both took", () => {
  const games = [game({}), game({ won_on_points: 0 }), game({ IMPLIED: 0.5 }), game({ BLEND: null })];
  assert.deepEqual(baselineOf("picks", ML, "BLEND", games), { won: 1, lost: 1, pushed: 0 });
  const { record, shared } = besideBaseline("bets", ML, "BLEND", games);
  assert.deepEqual(record, { won: 1, lost: 2, pushed: 0 });
  assert.deepEqual(shared, { won: 1, lost: 1, pushed: 0 });
  assert.equal(takenOf("bets", ML, "BLEND", games[0]).side, "away");
});

test("grades are counted", () => {
  assert.deepEqual(tally(["won", "none", "lost", "pushed", "won"]), { won: 2, lost: 1, pushed: 1 });
});
