import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GamePage } from "../../games/contract";
import { notices } from "../ui/notices.svelte";
import { LessonScene } from "./practice-scene.svelte";
import { settings } from "../device/settings.svelte";
import type { Json, Practised } from "../net/protocol";

const PAGE = { pause: () => 0, sound: () => null, secrets: true } as unknown as GamePage;

/** What the server was asked, and what it is going to answer. */
let asked: string[][];
let answers: Partial<Practised>[];
let scene: LessonScene;

function moment(number: number, events: Json[] = []) {
  return { number, actor: 0, events, view: { seats: 3, n: number }, prompt: { key: "prompt.x" }, to_act: [0] };
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  notices.list = [];
  settings.pace = "instant";
  settings.obvious = true;
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    asked.push((JSON.parse(body) as { actions: string[] }).actions);
    const answer = answers.shift();
    const plain = { seat: 0, legal: ["a", "b"], verdict: "going", said: "", show: "a", ...answer };
    return new Response(JSON.stringify(answer ? plain : { error: "IllegalAction", message: "no", rule: "R1" }), {
      status: answer ? 200 : 409,
    });
  });
  scene = new LessonScene("recess", PAGE);
});

afterEach(() => {
  scene.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const soon = () => vi.advanceTimersByTimeAsync(10);

test("what was done is sent again with each action, and taken back by sending less", async () => {
  answers = [
    { moments: [moment(1)] },
    { moments: [moment(2, [{ key: "e" }])], show: "" },
    { moments: [moment(3)], verdict: "astray", said: "missed", legal: [] },
    { moments: [moment(2)] },
  ];
  await scene.begins("pin");
  expect([scene.legal, scene.names.length]).toEqual([["a", "b"], 3]);
  scene.act("b");
  await soon();
  scene.act("a");
  await soon();
  expect([scene.verdict, scene.legal, scene.prompt]).toEqual(["astray", [], {}]);
  scene.act("a");
  scene.takeBack();
  await soon();
  expect([scene.verdict, scene.actions, scene.events]).toEqual(["going", ["b"], []]);
  expect(asked).toEqual([[], ["b"], ["b", "a"], ["b"]]);
});

test("the name of an exercise changes with its position, and stays if the next one cannot be loaded", async () => {
  answers = [{ moments: [moment(1)] }, { moments: [moment(2)], verdict: "done", legal: [] }];
  await scene.begins("pin");
  scene.act("a");
  await soon();
  const failing = scene.begins("walk");
  expect([scene.exercise, scene.verdict]).toEqual(["pin", "done"]);
  expect(await failing).toBe(false);
  expect([scene.exercise, scene.verdict]).toEqual(["pin", "done"]);
  answers = [{ moments: [moment(1)] }];
  const loading = scene.begins("walk");
  expect([scene.exercise, scene.verdict]).toEqual(["pin", "done"]);
  expect(await loading).toBe(true);
  expect([scene.exercise, scene.verdict]).toEqual(["walk", "going"]);
});

test("what led to an exercise is seen once, and not again when everything is taken back", async () => {
  answers = [
    { moments: [moment(1), moment(2, [{ key: "e" }])] },
    { moments: [moment(3)] },
    { moments: [moment(1), moment(2, [{ key: "e" }])] },
    { moments: [moment(1), moment(2, [{ key: "e" }])] },
  ];
  await scene.begins("pin");
  expect(scene.number).toBe(1);
  await soon();
  expect(scene.number).toBe(2);
  scene.act("a");
  await soon();
  scene.takeBack();
  await vi.advanceTimersByTimeAsync(0);
  expect([scene.number, scene.events, scene.settled]).toEqual([2, [], true]);
  await scene.anew();
  expect(scene.number).toBe(1);
});

test("a verdict is told once everything has been seen", async () => {
  settings.pace = "click";
  scene.page = { ...PAGE, pause: () => 400 };
  answers = [{ moments: [moment(1)] }, { moments: [moment(2, [{ key: "e" }])], verdict: "done", legal: [] }];
  await scene.begins("pin");
  scene.act("a");
  await soon();
  expect([scene.number, scene.verdict]).toEqual([2, "going"]);
  scene.onward();
  expect(scene.verdict).toBe("done");
});

test("the way is shown from the beginning once the learner has left it", async () => {
  answers = [
    { moments: [moment(1)] },
    { moments: [moment(2)], show: "" },
    { moments: [moment(1)] },
    { moments: [moment(2)], show: "" },
  ];
  await scene.begins("pin");
  scene.act("b");
  await soon();
  await scene.showMe();
  expect(asked.slice(2)).toEqual([[], ["a"]]);
});

test("the only answer is given, unless somebody would rather give it", async () => {
  answers = [{ moments: [moment(1)] }, { moments: [moment(2)], legal: ["no"] }, { moments: [moment(3)] }];
  await scene.begins("pin");
  scene.act("a");
  await soon();
  expect(asked.at(-1)).toEqual(["a", "no"]);
  settings.obvious = false;
  answers = [{ moments: [moment(4)], legal: ["no"] }];
  scene.act("b");
  await soon();
  expect(asked.at(-1)).toEqual(["a", "no", "b"]);
});

test("the only answer is not asked for before it is given", async () => {
  scene.page = { ...PAGE, pause: () => 400 };
  settings.pace = "normal";
  answers = [
    { moments: [moment(1)] },
    { moments: [moment(2, [{ key: "e" }])], legal: ["no"] },
    { moments: [moment(3)] },
  ];
  await scene.begins("pin");
  scene.act("a");
  await soon();
  expect([scene.number, scene.settled, scene.legal, scene.prompt]).toEqual([2, true, [], {}]);
  await vi.runAllTimersAsync();
  expect([scene.actions, scene.legal]).toEqual([
    ["a", "no"],
    ["a", "b"],
  ]);
});

test("the only answer is taken back together with what led to it", async () => {
  answers = [
    { moments: [moment(1)] },
    { moments: [moment(2)], legal: ["no"] },
    { moments: [moment(3)], legal: ["no"] },
    { moments: [moment(4)], verdict: "astray", legal: [] },
    { moments: [moment(1)] },
    { moments: [moment(2)] },
    { moments: [moment(3)] },
    { moments: [moment(2)] },
  ];
  await scene.begins("pin");
  scene.act("a");
  await soon();
  expect(scene.actions).toEqual(["a", "no", "no"]);
  scene.takeBack();
  await soon();
  expect(scene.actions).toEqual([]);
  for (const chosen of ["b", "a"]) {
    scene.act(chosen);
    await soon();
  }
  scene.takeBack();
  await soon();
  expect(asked.slice(4)).toEqual([[], ["b"], ["b", "a"], ["b"]]);
});

test("a refusal says why and changes nothing", async () => {
  answers = [{ moments: [moment(1)] }];
  await scene.begins("pin");
  scene.act("c");
  await soon();
  expect(notices.list).toMatchObject([{ text: "no", rule: "R1", game: "recess" }]);
  expect([scene.actions, scene.busy, scene.legal]).toEqual([[], false, ["a", "b"]]);
});
