// Numbers and times in the notation of the trade.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

// The modules of requests read the address of the page when they are loaded.
globalThis.document = { baseURI: "http://localhost/explore/" };
const format = await import("../page/format.js");

test("numbers and times are written in the notation of the trade", () => {
  // Days of this year have no year.
  mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-11-22T12:00:00Z") });
  for (const [written, expected] of [
    [format.price(-110), "\u{2212}110"],
    [format.price(105), "+105"],
    [format.price(-1250), "\u{2212}1250"],
    [format.price(null), "–"],
    [format.share(0.524), "52.4\u{a0}%"],
    [format.share(0.5125), "51.3\u{a0}%"],
    [format.share(1), "100.0\u{a0}%"],
    [format.gain(-0.0873), "\u{2212}8.7\u{a0}%"],
    [format.gain(0), "0.0\u{a0}%"],
    [format.signedPercent(21.58), "+21.6\u{a0}%"],
    [format.units(-1.184509), "\u{2212}1.18"],
    [format.spread(-6.5), "\u{2212}6.5"],
    [format.spread(7), "+7"],
    [format.spread(0), "PK"],
    [format.total(44.5), "44.5"],
    [format.count(200000), "200,000"],
    [format.start("16:25:00"), "4:25\u{a0}PM"],
    [format.day("2026-11-22"), "Sun, Nov 22"],
    [format.day("2025-11-22"), "Sat, Nov 22, 2025"],
    [format.instant("2026-11-22T14:45:00Z"), "Nov 22, 9:45\u{a0}AM ET"],
    [format.instant("2025-11-22T14:45:00Z"), "Nov 22, 2025, 9:45\u{a0}AM ET"],
    [format.utc("2026-12-01T00:00:00Z"), "Dec 1, 00:00 UTC"],
    [format.counted(1, "game"), "1 game"],
    [format.counted(1234, "game"), "1,234 games"],
    [format.duration(4355000), "1 h 12 min"],
    [format.duration(725000), "12 min 05 s"],
  ]) {
    assert.equal(written, expected);
  }
});
