/** What options and their values are called: the game says it, and the page where all games mean the same. */
import { inWords } from "../lib/games";
import { capital } from "../lib/messages";
import { say } from "../lib/words.svelte";
import type { GameOption } from "../lib/wire";

export function optionName({ name, type, title }: GameOption): string {
  if (title) return inWords(title);
  return type === "seat" ? say("option.seat") : capital(name.replaceAll("_", " "));
}

/** What an option does, in a sentence. */
export function optionAbout({ type, title, about }: GameOption): string {
  return type === "seat" && !title ? say("option.seat.about") : inWords(about);
}

export function valueName({ type, values }: GameOption, value: unknown): string {
  if (typeof value === "boolean") return say(value ? "lobby.on" : "lobby.off");
  if (typeof value === "object" && value !== null) {
    const { name } = value as { name?: unknown };
    return typeof name === "string" ? say("option.file.named", { name }) : say("option.file.own");
  }
  const words = values[String(value)];
  if (words) return inWords(words);
  if (type !== "seat") return String(value);
  return value === "random" ? say("option.seat.random") : say("app.seat", { number: Number(value) + 1 });
}

/** What an option is unless somebody sets it: as the game has it, only that a seat is drawn by lot. */
export function unset({ type, default: value }: GameOption): unknown {
  return type === "seat" ? "random" : value;
}
