import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Texts, type Params } from "./messages";

interface Case {
  why: string;
  message: string;
  params: Params;
  en: string;
  fr: string;
}

/** The same cases hold for the server's side: tests/page/test_texts.py. */
const cases = JSON.parse(readFileSync("../tests/page/messages.json", "utf8")) as Case[];
const words = { "word.b1": "boy 1", "word.g1": "girl 1" };

describe.each(["en", "fr"] as const)("messages in %s", (language) => {
  it.each(cases)("$why", (one) => {
    const texts = new Texts(language, { ...words, told: one.message }, ["Ann", "Bo"], 0);
    expect(texts.say("told", one.params)).toBe(one[language]);
  });
});

it("starts sentences with a capital", () => {
  expect(new Texts("en", { "event.x": "the bell" }).say("event.x")).toBe("The bell");
});

it("shows a missing text as its key", () => {
  expect(new Texts("en", {}).say("no.such")).toBe("⟨no.such⟩");
});
