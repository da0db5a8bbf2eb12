// The functions of drawing that need no page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { signal } from "@preact/signals";
import { element, part, textOf } from "../page/dom.js";
import { compare, sorted } from "../page/parts/sorting.js";
import { placeOn, roundRange, roundValues } from "../page/parts/svg.js";

test("the text of a part is that of its children, also of signals and of parts with state", () => {
  const Name = ({ name }) => element("strong", {}, name);
  const shown = element("p", {}, "a ", [null, false, 0, ["b"]], signal("c"), part(Name, { name: "d" }));
  assert.equal(textOf(shown), "a 0bcd");
  assert.equal(textOf(element("p", { class: signal("old") }, shown, "e")), "a 0bcde");
});

test("an attribute is there if true, and not there if false or null", () => {
  const { props } = element("a", { "data-faded": true, hidden: true, class: false, title: null, id: "x" });
  assert.deepEqual({ ...props }, { "data-faded": "", hidden: true, id: "x" });
});

test("a missing figure is last in either order", () => {
  const values = [null, 2, 10, undefined, 1];
  assert.deepEqual(values.toSorted((a, b) => compare(a, b, false)).slice(0, 3), [1, 2, 10]);
  assert.deepEqual(values.toSorted((a, b) => compare(a, b, true)).slice(0, 3), [10, 2, 1]);
  assert.ok(compare("Bears", "bears", false) !== 0);
});

test("rows are in the chosen order, and a column of numbers begins with the largest", () => {
  const rows = [3, 1, 2].map((value) => ({ values: [`row ${value}`, value] }));
  const columns = [{ head: "Name" }, { head: "Value" }];
  const order = signal(null);
  const valuesOf = () => sorted("caption", columns, rows, order).rows.map(({ values }) => values[1]);
  assert.deepEqual(valuesOf(), [3, 1, 2]);
  const click = () => sorted("caption", columns, rows, order).button(1).props.onclick();
  click();
  assert.deepEqual(valuesOf(), [3, 2, 1]);
  assert.equal(sorted("caption", columns, rows, order).direction(1), "descending");
  click();
  assert.deepEqual(valuesOf(), [1, 2, 3]);
  assert.equal(sorted("caption", columns, rows, order).direction(0), "none");
});

test("axes begin and end at round values", () => {
  assert.deepEqual(roundRange([0.412, 0.588], 5), [0.4, 0.6]);
  assert.deepEqual(roundRange([5, 5], 2), [4, 6]);
  assert.deepEqual(roundValues([0.5, 0.8], 3), [0.5, 0.6, 0.7, 0.8]);
  assert.equal(placeOn([0.5, 0.75])(0.55), 20);
  assert.equal(placeOn([1, 1])(1), 0);
});
