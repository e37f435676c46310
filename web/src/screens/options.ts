/** What the values of options are called. */
import { hasText, say } from "../lib/words.svelte";

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
