import { expect, test } from "vitest";
import { Talk } from "./chat.svelte";
import type { ChatLine } from "../net/protocol";

const line = (id: number): ChatLine => ({ id, seat: 1, name: "Malo", time: 0, text: "!" });

test("what others say is unread until it is looked at", () => {
  const talk = new Talk();
  talk.begin([line(1)]);
  talk.add(line(2), false);
  talk.add(line(3), true);
  expect(talk.lines.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(talk.unread).toBe(1);
  talk.read();
  expect(talk.unread).toBe(0);
});

test("of a long talk the end is kept", () => {
  const talk = new Talk();
  for (let id = 0; id < 250; id++) talk.add(line(id), true);
  expect(talk.lines).toHaveLength(200);
  expect(talk.lines.at(-1)?.id).toBe(249);
});
