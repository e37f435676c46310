import { expect, test, vi } from "vitest";
import { betterInSentence, chance, Hints, inSentences } from "./hints.svelte";
import { Texts } from "../text/messages";
import { settings } from "../device/settings.svelte";
import type { HintedMessage } from "../net/protocol";

const texts = new Texts("en", {
  "do.pin": "pin {owner, seat} down",
  "do.walk": "walk to {to}",
  "because.coin": "a coin from {owner, seat}",
  "because.seen": "a nun sees {cell}",
  "because.wins": "{seat, person, you {you win} other {{seat, seat} wins}}",
}).named(["Ann", "Bo"]);
const label = (action: string) => `Label of ${action}`;

const hint: HintedMessage = {
  type: "hinted",
  at: 3,
  seat: 0,
  more: true,
  idea: {
    action: "b1 f6",
    value: 0.41,
    do: { key: "do.pin", owner: 1 },
    reasons: [{ key: "because.coin", owner: 1 }],
  },
  otherwise: {
    action: "b1 g6",
    value: 0.3,
    do: { key: "do.walk", to: "g6" },
    reasons: [{ key: "because.seen", cell: "g6" }],
    but: true,
  },
};

test("a hint is one or two sentences", () => {
  settings.language = "en";
  expect(inSentences(hint, texts, label)).toEqual([
    "Pin Bo down: a coin from Bo.",
    "Otherwise: walk to g6 (a nun sees g6).",
  ]);
  expect(inSentences({ ...hint, close: true }, texts, label)[1]).toBe("Nearly as good: walk to g6 (a nun sees g6).");
});

test("what speaks against an idea is told apart from what speaks for it", () => {
  settings.language = "en";
  const reasons = [
    { key: "because.coin", owner: 1 },
    { key: "because.seen", cell: "f6" },
  ];
  const one = (but: boolean) =>
    inSentences({ ...hint, otherwise: null, idea: { ...hint.idea, reasons, but } }, texts, label);
  expect(one(false)).toEqual(["Pin Bo down: a coin from Bo, and a nun sees f6."]);
  expect(one(true)).toEqual(["Pin Bo down: a coin from Bo, but a nun sees f6."]);
});

test("whoever chooses is spoken to, and spoken of to anybody else", () => {
  settings.language = "en";
  const idea = { action: "b1 f6", do: { key: "do.walk", to: "f6" }, reasons: [{ key: "because.wins" }] };
  const to = (reader: number | null) => betterInSentence(1, idea, texts.to(reader), label);
  expect(to(1)).toBe("Better: walk to f6: you win.");
  expect([to(0), to(null)]).toEqual(["Better: walk to f6: Bo wins.", "Better: walk to f6: Bo wins."]);
});

test("an action without words goes by its button", () => {
  settings.language = "fr";
  const bare = { ...hint, otherwise: null, idea: { action: "b1 f6", value: 0.5 } };
  expect(inSentences(bare, texts, label)).toEqual(["Label of b1 f6."]);
});

test("chances are measured by what everybody would have", () => {
  settings.language = "en";
  expect(chance(0.25, 4)).toBe("An even chance to win: about 25 %.");
  expect(chance(0.5, 4)).toMatch(/^A great chance/);
  expect(chance(0.5, 2)).toMatch(/^An even chance/);
  expect(chance(0.1, 4)).toMatch(/^A small chance/);
});

test("asked once more there is another idea, and after the last one the first", () => {
  const send = vi.fn(() => true);
  const hints = new Hints(send);
  hints.ask();
  hints.ask();
  expect(send.mock.calls).toEqual([[0]]);
  hints.receive(hint);
  hints.ask();
  hints.receive({ ...hint, rank: 1, more: false });
  hints.ask();
  expect(send.mock.calls).toEqual([[0], [1], [0]]);
  hints.clear();
  expect([hints.busy, hints.found]).toEqual([false, null]);
});
