/** What a figure of the rule book draws, taken from what happens in it: nothing is made up. */
import type { Event, Working } from "./shapes";

/** What became of a card that was turned over. */
export interface Fate {
  kind: string;
  fate: "keep" | "give" | "put_back";
  /** Who has it now; null: the pile. */
  to: number | null;
}

/** The cards turned over, each with what became of it, in the order in which they were turned. */
export function fates(open: readonly string[], events: readonly Event[]): Fate[] {
  const left = events.flatMap((event): Fate[] => {
    if (event.key === "kept") return [{ kind: event.kind, fate: "keep", to: event.seat }];
    if (event.key === "given") return [{ kind: event.kind, fate: "give", to: event.to }];
    return event.key === "put_back" ? [{ kind: event.kind, fate: "put_back", to: null }] : [];
  });
  return open.flatMap((kind) => {
    const at = left.findIndex((one) => one.kind === kind);
    return at < 0 ? [] : left.splice(at, 1);
  });
}

type Of<Key extends Event["key"]> = Extract<Event, { key: Key }>;

/** The first event of this key, if it happened. */
export function first<Key extends Event["key"]>(events: readonly Event[], key: Key): Of<Key> | undefined {
  return events.find((event): event is Of<Key> => event.key === key);
}

/** All events of this key. */
export function all<Key extends Event["key"]>(events: readonly Event[], key: Key): Of<Key>[] {
  return events.filter((event): event is Of<Key> => event.key === key);
}

/** What is added up: stars on cards, joined halves, and whatever else there is, with a picture of it. */
export function terms(one: Working): { picture?: string; stars: number }[] {
  const more = [
    { picture: "king", stars: one.kings.stars },
    { picture: "chestnut_man", stars: one.chestnut_man },
    { picture: "friend", stars: one.friends.reduce((sum, { stars }) => sum + stars, 0) },
    { picture: one.bonus.character, stars: one.bonus.stars },
  ];
  return [{ stars: one.full }, { stars: one.joined }, ...more.filter(({ stars }) => stars > 0)];
}
