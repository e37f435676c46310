import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GamePage } from "../../games/contract";
import { Texts } from "../text/messages";
import { notices } from "../ui/notices.svelte";
import { PuzzleScene } from "./puzzle-scene.svelte";
import { puzzles } from "./puzzles.svelte";
import { settings } from "../device/settings.svelte";
import type { Practised, PuzzleInfo } from "../net/protocol";

const PAGE = {
  pause: () => 0,
  sound: () => null,
  secrets: true,
  choices: () => ({ groups: [{ id: "b", label: "Boy" }], choices: [{ action: "b a1", label: "a1", group: "b" }] }),
  marks: () => ["#piece", "#target"],
} as unknown as GamePage;
const TEXTS = new Texts("en", {
  "puzzle.row": "The row",
  "puzzle.row.task": "Do it",
  "puzzle.row.worth": "{n, plural, one {{worth} star} other {{worth} stars}}",
  "do.walk": "walk",
  "because.coin": "a coin",
});
const TOLD = { action: "b a1", do: { key: "do.walk" }, reasons: [{ key: "because.coin" }] };

/** What the server was asked, and what it is going to answer. */
let asked: string[];
let answers: Partial<Practised>[];
let scene: PuzzleScene;
let count = 0;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  notices.list = [];
  settings.pace = "instant";
  settings.obvious = false;
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const { actions, wish = "" } = JSON.parse(body) as { actions: string[]; wish?: string };
    asked.push(`${wish}(${actions.join()})`);
    const answer = answers.shift();
    const moment = { number: asked.length, actor: 0, events: [], view: { seats: 3 }, prompt: {}, to_act: [0] };
    const plain = { seat: 0, legal: ["b a1", "pass"], verdict: "going", said: "", show: "", moments: [moment] };
    return new Response(JSON.stringify(answer ? { ...plain, ...answer } : { error: "Unknown", message: "no" }), {
      status: answer ? 200 : 404,
    });
  });
  scene = new PuzzleScene("yard", PAGE);
  Reflect.set(scene, "messages", TEXTS);
});

afterEach(() => {
  scene.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const soon = () => vi.advanceTimersByTimeAsync(10);
/** A puzzle that has not been tried. */
const fresh = (): PuzzleInfo => ({ id: `p${++count}`, theme: "row", difficulty: 1, seat: 0 });
const kept = () => puzzles.of("yard")[scene.puzzle?.id ?? ""];
const HINT = { solution: { line: [TOLD], right: 1 } };
const DONE: Partial<Practised> = {
  verdict: "done",
  legal: [],
  solution: { line: [TOLD], figures: { kind: "turn", many: 1200, good: 4 } },
};
const ASTRAY: Partial<Practised> = {
  verdict: "astray",
  legal: [],
  solution: { against: { action: "pass" }, figures: { kind: "count", many: 84, best: 2.5, next: 1.5, yours: 1 } },
};

test("what is solved alone is kept as solved, and told with its reasons", async () => {
  answers = [{}, DONE];
  await scene.begins(fresh());
  expect([scene.about(), scene.about(".task"), scene.about(".more")]).toEqual(["The row", "Do it", ""]);
  scene.act("b a1");
  await soon();
  expect(scene.words).toEqual(["4 ways through the turn do it, of 1,200 there are.", "Walk: a coin."]);
  expect([scene.ending, kept()?.how, puzzles.solved("yard")]).toEqual(["Solved!", "solved", 1]);
});

test("a hint says what it is about, then what to do, and then does it, which is no solution of one's own", async () => {
  answers = [{}, HINT, DONE];
  await scene.begins(fresh());
  await scene.askHint();
  expect([scene.advice, scene.marks, scene.hinted]).toEqual(["Look at this: Boy.", ["#piece"], null]);
  await scene.askHint();
  expect([scene.advice, scene.marks, scene.hinted]).toEqual(["Walk: a coin.", ["#piece", "#target"], "b a1"]);
  await scene.askHint();
  await soon();
  expect(asked).toEqual(["()", "hint()", "(b a1)"]);
  expect([scene.hint, scene.ending, kept()]).toMatchObject([null, "That is the solution", { how: "failed" }]);
});

test("with a hint that leaves something to find it is solved with help", async () => {
  answers = [{}, HINT, DONE];
  await scene.begins(fresh());
  await scene.askHint();
  scene.act("b a1");
  await soon();
  expect([scene.ending, kept()?.how]).toEqual(["Solved!", "helped"]);
});

test("a wrong try says what it is worth, and can be taken back", async () => {
  answers = [{}, ASTRAY, {}];
  await scene.begins(fresh());
  scene.act("pass");
  await soon();
  expect([scene.ending, kept()?.how]).toEqual(["Not quite", "failed"]);
  expect(scene.words).toEqual(["Your choice: 1 star. The best one: 2.5 stars."]);
  scene.takeBack();
  await soon();
  expect([scene.verdict, scene.actions]).toEqual(["going", []]);
});

test("the solution is played from where it still leads on", async () => {
  answers = [{}, ASTRAY, { solution: { line: [TOLD, TOLD] } }, {}, {}, DONE];
  await scene.begins(fresh());
  scene.act("pass");
  await soon();
  await scene.show();
  await soon();
  expect(asked).toEqual(["()", "(pass)", "solution(pass)", "()", "(b a1)", "(b a1,b a1)"]);
  expect([scene.ending, scene.way.length, kept()]).toMatchObject(["That is the solution", 1, { shown: true }]);
});

test("a puzzle that cannot be had says so", async () => {
  answers = [];
  expect(await scene.begins(fresh())).toBe(false);
  expect([scene.begun, notices.list.length]).toEqual([false, 1]);
});
