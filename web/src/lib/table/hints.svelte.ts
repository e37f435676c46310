/** Hints at a table: whether one was asked for, and what came of it. */
import type { Texts } from "../text/messages";
import { capital } from "../text/messages";
import type { HintedMessage, Json, Told } from "../net/protocol";
import { say } from "../text/words.svelte";

export class Hints {
  found = $state.raw<HintedMessage | null>(null);
  busy = $state(false);

  /** `send` asks the server for the best idea (0) or the next best ones; false if it cannot be asked. */
  constructor(private readonly send: (rank: number) => boolean) {}

  /** Asked once more, there is another idea, as long as there is one; then the best again. */
  ask(): void {
    const rank = this.found?.more ? (this.found.rank ?? 0) + 1 : 0;
    if (!this.busy) this.busy = this.send(rank);
  }

  receive(hint: HintedMessage): void {
    this.busy = false;
    this.found = hint;
  }

  /** Remove the hint: something has happened, or the player has closed it. */
  clear(): void {
    this.busy = false;
    this.found = null;
  }
}

/** What a hint says: the idea and why, and what could be done otherwise. `label` names an action without words. */
export function inSentences(hint: HintedMessage, texts: Texts, label: (action: string) => string): string[] {
  const { seat, idea, otherwise } = hint;
  const lines = [inSentence(seat, idea, texts, label)];
  if (otherwise?.reasons?.length)
    lines.push(sentence(hint.close ? "close" : "otherwise", seat, otherwise, texts, label));
  return lines;
}

/** An action that a seat can choose, and what is worth saying about it. */
export function inSentence(seat: number, idea: Told, texts: Texts, label: (action: string) => string): string {
  return capital(sentence("idea", seat, idea, texts, label));
}

/** What would have been better than what a seat has done, and why. */
export function betterInSentence(seat: number, idea: Told, texts: Texts, label: (action: string) => string): string {
  return sentence("better", seat, idea, texts, label);
}

function sentence(kind: string, seat: number, idea: Told, texts: Texts, label: (action: string) => string): string {
  const words = (said: Json) => texts.say(String(said["key"]), { seat, ...said });
  const what = idea.do ? words(idea.do) : label(idea.action);
  const [why, more] = (idea.reasons ?? []).map(words);
  const form = more === undefined ? (why === undefined ? "0" : "1") : idea.but ? "but" : "2";
  return say(`hint.${kind}.${form}`, { do: what.replace(/\.$/, ""), why, more });
}

/** How likely an action is to win, in words and as a number; `even` is an equal share for every seat. */
export function chance(value: number, seats: number): string {
  const share = value * seats;
  const odds = share >= 2 || value >= 0.8 ? "great" : share >= 1.15 ? "good" : share >= 0.8 ? "even" : "small";
  return say("hint.chance", { odds, percent: Math.round(100 * value) });
}
