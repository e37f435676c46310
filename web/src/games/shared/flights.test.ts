import { expect, test } from "vitest";
import { Sky, type Flight } from "./flights.svelte";

const HERE = new Map(["pile", "hand", "toy"].map((name, at) => [name, new DOMRect(at, 0, 10, 10)]));

function flight(from: string[], to: string[]): Flight<string> {
  return { thing: "card", from, to, at: 0 };
}

test("a thing flies between the best spots that are there, and is awaited until it arrives", () => {
  const sky = new Sky<string>();
  sky.launch([flight(["held", "hand"], ["toy"])], HERE, HERE);
  const [flyer] = sky.flyers;
  expect(flyer).toMatchObject({ thing: "card", from: "hand", to: "toy" });
  expect(sky.awaited.has("toy")).toBe(true);
  if (flyer) sky.arrived(flyer);
  expect(sky.flyers).toEqual([]);
  expect(sky.awaited.size).toBe(0);
});

test("nothing flies from or to where nothing is", () => {
  const sky = new Sky<string>();
  sky.launch([flight(["nowhere"], ["toy"]), flight(["pile"], ["nowhere"])], HERE, HERE);
  expect(sky.flyers).toEqual([]);
  expect(sky.awaited.size).toBe(0);
});

test("what is in the air lands when the next step begins", () => {
  const sky = new Sky<string>();
  sky.launch([flight(["pile"], ["hand"])], HERE, HERE);
  sky.launch([flight(["pile"], ["toy"])], HERE, HERE);
  expect(sky.flyers.map(({ to }) => to)).toEqual(["toy"]);
  expect([...sky.awaited]).toEqual(["toy"]);
  sky.land();
  expect(sky.flyers).toEqual([]);
});
