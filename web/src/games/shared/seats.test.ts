import { expect, test } from "vitest";
import { around } from "./seats";

test("the others sit round the table from one's left", () => {
  expect(around(4, 0)).toEqual([1, 2, 3]);
  expect(around(4, 2)).toEqual([3, 0, 1]);
  expect(around(4, null)).toEqual([0, 1, 2, 3]);
});
