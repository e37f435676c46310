/** What options and their values are called. */
import { typeset } from "../lib/messages";
import { settings } from "../lib/settings.svelte";
import { hasText, say } from "../lib/words.svelte";
import type { Option } from "./plan";

export function optionName({ name }: Option): string {
  return hasText(`option.${name}`) ? say(`option.${name}`) : name;
}

/** What an option does, in a sentence: the page's, else the game's own. */
export function optionAbout(option: Option): string {
  const key = `option.${option.name}.about`;
  return hasText(key) ? say(key) : typeset(option[settings.language], settings.language);
}

export function valueName(game: string, option: string, value: unknown): string {
  if (typeof value === "boolean") return say(value ? "lobby.on" : "lobby.off");
  if (typeof value === "object" && value !== null) {
    const { name } = value as { name?: unknown };
    return typeof name === "string" ? say("option.file.named", { name }) : say("option.file.own");
  }
  const key = [`option.${game}.${option}.${String(value)}`, `option.${option}.${String(value)}`].find(hasText);
  if (key) return say(key);
  return option === "first" ? say("app.seat", { number: Number(value) + 1 }) : String(value);
}
