/** What options and their values are called: the game says it, and the page where all games mean the same. */
import { gameInfo, inWords } from "../catalogue/games";
import { capital } from "./messages";
import { say } from "./words.svelte";
import type { GameOption, TableInfo, Timer } from "../net/protocol";

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

/** The default of an option: as the game has it, but a seat is drawn by lot. */
export function unset({ type, default: value }: GameOption): unknown {
  return type === "seat" ? "random" : value;
}

/** How long a seat may take, in words. */
export function timerName({ kind, amount }: Timer): string {
  if (kind === "turn") return say("lobby.timer_turn", { n: amount ?? 60 });
  return kind === "days" ? say("lobby.timer_days", { n: amount ?? 1 }) : say("lobby.timer_off");
}

/** The house rules of a table in words: what is not as in the box. */
export function houseRules({ game, options }: TableInfo): string[] {
  return optionsInWords(game, options);
}

/** Those of some options of a game that are not as in the box, in words. */
export function optionsInWords(game: string, options: TableInfo["options"]): string[] {
  return (gameInfo(game)?.options ?? []).flatMap((option) => {
    const value = options[option.name];
    if (value === undefined || option.type === "seat" || value === option.default) return [];
    return [say("lobby.option", { option: optionName(option), value: valueName(option, value) })];
  });
}
