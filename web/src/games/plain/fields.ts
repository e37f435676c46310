/**
 * What of a view is shown, and how it is put. A game that nobody has drawn says it in its texts:
 *
 * - `stage.table.<field>`, `stage.seats.<field>`, `stage.own.<field>` are what a field of the view is called: one that
 *   is about the whole table, one with an entry for every seat, one that only its own seat sees. They stand in the
 *   order in which they are shown.
 * - `stage.….<field>.value` is how a value is put; it is given as `value`, and the options of the table by their names.
 * - `stage.….<field>.none` is what is shown for null.
 * - `stage.seats.<field>.most` is the largest number possible: the seats then stand on a track as long.
 *
 * Without any of these all fields are shown under their own names.
 */
import { capital, type Texts } from "../../lib/text/messages";
import { say } from "../../lib/text/words.svelte";
import type { Json } from "../../lib/net/protocol";

export type Part = "table" | "seats" | "own";

export interface Field {
  name: string;
  label: string;
  /** The beginning of the keys of its texts. */
  key: string;
}

/** What every view has, and nobody needs to be shown. */
const HEAD = new Set(["game", "rules", "seats", "seat", "options", "prompt"]);
const NOTHING = "–";

export function fieldsOf(part: Part, view: Json, texts: Texts): Field[] {
  const keys = Object.keys(texts.messages).filter((key) => key.startsWith("stage."));
  if (keys.length === 0) return guessed(part, view);
  return keys.flatMap((key) => {
    const [, of, name, more] = key.split(".");
    return of === part && name && !more && name in view ? [{ name, label: texts.say(key), key }] : [];
  });
}

/** Without words for them: a list with an entry for every seat is about the seats. */
function guessed(part: Part, view: Json): Field[] {
  return Object.entries(view).flatMap(([name, value]) => {
    const about = Array.isArray(value) && value.length === view["seats"] ? "seats" : "table";
    if (HEAD.has(name) || about !== part) return [];
    return [{ name, label: capital(name.replaceAll("_", " ")), key: `stage.${part}.${name}` }];
  });
}

/** There is nothing to be said of a value. */
export function isNothing(field: Field, value: unknown, texts: Texts): boolean {
  return (value === null || value === undefined) && !texts.has(`${field.key}.none`);
}

/** A value in words. */
export function put(field: Field, value: unknown, view: Json, texts: Texts): string {
  const [how, none] = [`${field.key}.value`, `${field.key}.none`];
  if (value === null || value === undefined) return texts.has(none) ? texts.say(none) : NOTHING;
  if (texts.has(how)) return texts.say(how, { ...(view["options"] as Json), value });
  if (typeof value === "boolean") return say(value ? "lobby.on" : "lobby.off");
  if (Array.isArray(value)) return value.map((one) => put(field, one, view, texts)).join(", ") || NOTHING;
  if (typeof value === "object") {
    const rows = Object.entries(value).map(([name, one]) => `${name} ${put(field, one, view, texts)}`);
    return rows.join(" · ") || NOTHING;
  }
  return value === "hidden" ? say("plain.hidden") : String(value);
}

/** How long the track of a field is; 0 if it has none. */
export function most(field: Field, view: Json, texts: Texts): number {
  const key = `${field.key}.most`;
  return texts.has(key) ? Number(texts.say(key, view["options"] as Json)) || 0 : 0;
}

/** The entry of a seat in a field that has one for every seat. */
export function ofSeat(field: Field, view: Json, seat: number): unknown {
  const list = view[field.name];
  return Array.isArray(list) ? list[seat] : undefined;
}

/**
 * What a button says: `action.<verb>` in the game's texts, where the verb is the first word of the action, and `{1}`,
 * `{2}` ... are the words after it; without such a text, the action itself.
 */
export function labelOf(action: string, texts: Texts): string {
  const [verb = "", ...words] = action.split(" ");
  const key = `action.${verb}`;
  if (!texts.has(key)) return action;
  return capital(texts.say(key, Object.fromEntries(words.map((word, at) => [String(at + 1), word]))));
}

/** The only action among these that names a thing, if there is one: touching the thing then does it. */
export function actionOf(thing: unknown, legal: readonly string[]): string | undefined {
  const naming = legal.filter((action) => action.split(" ").slice(1).includes(String(thing)));
  return naming.length === 1 ? naming[0] : undefined;
}
