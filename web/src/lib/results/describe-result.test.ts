import { afterEach, expect, test } from "vitest";
import { settings } from "../device/settings.svelte";
import { byMonth, ending, moment } from "./describe-result";

const NAMES = ["Zoé", "Basile", "Colette"];

afterEach(() => (settings.language = "en"));

test("a game says who won, and which place one came to", () => {
  settings.language = "en";
  expect(ending({ scores: [9, 4, 2], ranking: [[0], [1], [2]] }, [0], NAMES)).toBe("You won");
  expect(ending({ scores: [4, 9, 2], ranking: [[1], [0], [2]] }, [0], NAMES)).toBe("Basile won; you came second");
  expect(ending({ scores: [2, 9, 9], ranking: [[1, 2], [0]] }, [0], NAMES)).toBe(
    "Basile and Colette won; you came third",
  );
  expect(ending({ scores: [9, 9, 2], ranking: [[0, 1], [2]] }, [0], NAMES)).toBe("You and Basile won");
  expect(ending({ scores: [9, 9, 9], ranking: [[0, 1, 2]] }, [1], NAMES)).toBe("You, Zoé and Colette won");
  expect(ending({ scores: [9, 4, 2], ranking: [[0], [1], [2]] }, [0, 1], NAMES)).toBe("Zoé won");
  settings.language = "fr";
  expect(ending({ scores: [2, 9, 9], ranking: [[1, 2], [0]] }, [0], NAMES)).toBe(
    "Basile et Colette ont gagné\u202f; tu finis 3e",
  );
});

test("of today the hour is told, of other days the day", () => {
  const noon = new Date(2026, 10, 17, 12, 5).getTime();
  expect(moment(noon, "fr", noon + 3_600_000)).toBe("12:05");
  expect(moment(noon, "en", noon + 86_400_000)).toBe("17 Nov");
  expect(moment(noon, "fr", noon + 90 * 86_400_000)).toBe("17 nov. 2026");
});

test("what happened stands under its month", () => {
  const all = [
    [2026, 10, 17],
    [2026, 10, 1],
    [2025, 10, 30],
  ].map(([year = 0, month = 0, day = 0]) => ({
    time: new Date(year, month, day).getTime(),
  }));
  expect(byMonth(all, "fr").map(({ month, games }) => [month, games.length])).toEqual([
    ["novembre 2026", 2],
    ["novembre 2025", 1],
  ]);
});
