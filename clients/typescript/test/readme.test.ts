// The examples of the README, which the check joins to one module, run as they stand.

import { test } from "node:test";

test("the examples of the README run", async () => {
  await import("./readme.js");
});
