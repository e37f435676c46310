import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GamePage } from "../contract";
import { TrialScene } from "./trial.svelte";

const PAGE = { pause: () => 0, sound: () => null, secrets: true } as unknown as GamePage;

let asked: string[][];
let trial: TrialScene;

function moment(number: number, event: string | null) {
  return { number, actor: -1, events: [], view: { seats: 3, event }, prompt: { key: "prompt.x" }, to_act: [0] };
}

beforeEach(async () => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    asked.push((JSON.parse(body) as { actions: string[] }).actions);
    const moments = [moment(1, null), moment(2, "spider")];
    return new Response(
      JSON.stringify({ moments, seat: 0, legal: ["point 1", "point 2"], verdict: "going", said: "", show: "" }),
    );
  });
  trial = new TrialScene(PAGE);
  await trial.opens();
  await vi.advanceTimersByTimeAsync(60_000);
});

afterEach(() => {
  trial.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the table lies still until the player is ready", async () => {
  expect([trial.view["event"], trial.legal]).toEqual([null, []]);
  await trial.race();
  await vi.advanceTimersByTimeAsync(0);
  expect([trial.view["event"], trial.legal]).toEqual(["spider", ["point 1", "point 2"]]);
});

test("no answer is sent, and another race begins with the same table", async () => {
  await trial.race();
  await vi.advanceTimersByTimeAsync(0);
  trial.act();
  trial.ends();
  expect(trial.legal).toEqual([]);
  await trial.race();
  await vi.advanceTimersByTimeAsync(0);
  expect(trial.legal).toEqual(["point 1", "point 2"]);
  expect(asked).toEqual([[], []]);
});
