import { expect, test } from "vitest";
import { errorText } from "./error-messages";

const DAY = 86_400;

test.each([
  [12, "Try again in 12 seconds."],
  [200, "Try again in 4 minutes."],
  [5 * 3_600, "Try again in 5 hours."],
  [6.5 * DAY, "Try again in 7 days."],
])("how long a limit lasts is said in words: %d s", (seconds, said) => {
  expect(errorText({ key: "rate", params: { what: "replays", seconds } })).toContain(said);
  expect(errorText({ key: "tables_kept", params: { seconds, most: 9, days: 7 } })).toContain(said);
  expect(errorText({ key: "reviews_kept", params: { seconds, most: 9, days: 7 } })).toContain(said);
});

test("what there was too much of is said, also if the page does not know it", () => {
  expect(errorText({ key: "rate", params: { what: "connections", seconds: 2 } })).toBe(
    "Too many pages are open from this address. Try again in 2 seconds.",
  );
  expect(errorText({ key: "rate", params: { what: "dreams", seconds: 2 } })).toBe(
    "Too many requests from this address. Try again in 2 seconds.",
  );
  expect(errorText({ key: "rate" })).toBe("That was too fast. Wait a moment.");
});

test("a number that a refusal names itself is kept", () => {
  expect(errorText({ key: "record_altered", params: { n: 1 } })).toContain("action 1 is not the one");
});
