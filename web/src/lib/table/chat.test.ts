import { expect, test } from "vitest";
import { Chat } from "./chat.svelte";
import type { ChatLine } from "../net/protocol";

const line = (id: number): ChatLine => ({ id, seat: 1, name: "Malo", time: 0, text: "!" });

test("what others say is unread until it is looked at", () => {
  const chat = new Chat();
  chat.begin([line(1)]);
  chat.add(line(2), false);
  chat.add(line(3), true);
  expect(chat.lines.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(chat.unread).toBe(1);
  chat.read();
  expect(chat.unread).toBe(0);
});

test("of a long talk the end is kept", () => {
  const chat = new Chat();
  for (let id = 0; id < 250; id++) chat.add(line(id), true);
  expect(chat.lines).toHaveLength(200);
  expect(chat.lines.at(-1)?.id).toBe(249);
});
