/** What came of the movements of a turn, as far as it was seen. */
import type { Event } from "./view";

export type Seen = { readonly [movement: string]: "done" | "lost" };

/** What is known after these events: a turn that begins has nothing behind it. */
export function seenOf(before: Seen, events: Event[]): Seen {
  let seen = before;
  for (const event of events) {
    if (event.key === "turn") seen = {};
    else if (event.key === "walk") seen = { ...seen, [event.movement]: "done" };
    else if (event.key === "lost" || event.key === "skip") seen = { ...seen, [event.movement]: "lost" };
  }
  return seen;
}
