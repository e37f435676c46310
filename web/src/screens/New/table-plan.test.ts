import { describe, expect, it } from "vitest";
import type { GameInfo, GameOption } from "../../lib/net/protocol";
import { company, controlOf, freshPlan, mended, wishOf } from "./table-plan";

const words = { en: "", fr: "" };
const none = { rule: "R7", choices: [], named: [], low: null, high: null, title: null, about: words, values: {} };
const turns: GameOption = { ...none, name: "turns", type: "number", default: 30, low: 1, high: 300 };
const equal: GameOption = { ...none, name: "equal_turns", type: "switch", default: false, choices: [false, true] };
const first: GameOption = { ...none, name: "first", type: "seat", default: 0 };
const game = {
  id: "recess",
  titles: words,
  about: words,
  seats: [3, 4, 5],
  rules: "1",
  usual: { seats: 3, level: "normal", options: {} },
  chapters: [],
  options: [turns, equal, first],
  secrets: false,
  settle_ties: "",
  reactions: {},
  picture: "",
  bots: ["easy", "normal"],
  lesson: [],
} satisfies GameInfo;

describe("the control of an option", () => {
  it("follows from its type", () => {
    expect(controlOf(turns)).toEqual({ kind: "number", low: 1, high: 300 });
    expect(controlOf(equal)).toEqual({ kind: "switch" });
    expect(controlOf({ ...equal, type: "choice", choices: [8, 4] })).toEqual({
      kind: "choice",
      values: [8, 4],
    });
    expect(controlOf(first)).toEqual({ kind: "seat" });
    expect(controlOf({ ...first, name: "map", type: "text" })).toEqual({ kind: "text" });
    const map: GameOption = { ...first, name: "map", type: "text", named: ["usual", "random"] };
    expect(controlOf(map)).toEqual({ kind: "choice", values: ["usual", "random"] });
  });

  it("offers the names of sets, and a file beside them", () => {
    const cards: GameOption = { ...none, name: "cards", type: "data", default: "usual" };
    expect(controlOf({ ...cards, named: ["usual", "short"] })).toEqual({ kind: "file", values: ["usual", "short"] });
    expect(controlOf(cards)).toEqual({ kind: "file", values: ["usual"] });
  });
});

describe("a plan", () => {
  it("starts as one person against bots", () => {
    const wish = wishOf("recess", freshPlan(game, "Zoé"), [turns]);
    const bot = { kind: "bot", level: "normal" };
    expect(wish.seats).toEqual([{ kind: "me", name: "Zoé" }, bot, bot]);
    expect(wish.start).toBe(true);
    expect(wish.timer).toEqual({ kind: "off" });
  });

  it("waits for those who are still to come", () => {
    const plan = { ...freshPlan(game, "Zoé"), count: 4, seats: company("friends", 5, "Zoé", "easy"), listed: true };
    const wish = wishOf("recess", plan, []);
    expect(wish.seats.map((seat) => seat.kind)).toEqual(["me", "open", "open", "open"]);
    expect(wish).toMatchObject({ start: false, visibility: "listed" });
  });

  it("says it where nobody new is wanted", () => {
    const plan = freshPlan(game, "Zoé");
    expect(wishOf("recess", plan, [])).not.toHaveProperty("newcomers");
    expect(wishOf("recess", { ...plan, newcomers: false }, [])).toMatchObject({ newcomers: false });
    expect(wishOf("recess", plan, [])).not.toHaveProperty("hints");
    expect(wishOf("recess", { ...plan, hints: false }, [])).toMatchObject({ hints: false });
  });

  it("leaves a nameless person's name to the server", () => {
    const plan = { ...freshPlan(game, ""), seats: company("here", 5, "  ", "easy") };
    expect(wishOf("recess", plan, []).seats[0]).toEqual({ kind: "me" });
  });

  it("sends only options that were chosen and that the game has", () => {
    const plan = { ...freshPlan(game, "Zoé"), options: { turns: 12, gone: 1 } };
    expect(wishOf("recess", plan, [turns, equal]).options).toEqual({ turns: 12 });
  });

  it("asks for seconds a turn or for days a move", () => {
    const plan = freshPlan(game, "Zoé");
    const timer = { ...plan.timer, seconds: 90, days: 3 };
    expect(wishOf("recess", { ...plan, timer: { ...timer, kind: "turn" } }, []).timer).toEqual({
      kind: "turn",
      amount: 90,
    });
    expect(wishOf("recess", { ...plan, timer: { ...timer, kind: "days" } }, []).timer).toEqual({
      kind: "days",
      amount: 3,
    });
  });

  it("saved by an older page is mended where it no longer fits", () => {
    const saved = {
      count: 9,
      seats: [
        { kind: "here" as const, name: "", level: "normal" },
        { kind: "bot" as const, name: "", level: "retired" },
      ],
      options: { turns: 12, gone: true },
    };
    const plan = mended(saved, game, "Zoé");
    expect(plan.count).toBe(3);
    expect(plan.seats).toHaveLength(5);
    expect(plan.seats[0]?.name).toBe("Zoé");
    expect(plan.seats[1]?.level).toBe("normal");
    expect(plan.options).toEqual({ turns: 12 });
  });
});
