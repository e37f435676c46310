/** What went wrong, in the reader's language. */
import { Refused } from "./api";
import type { Texts } from "./messages";
import { notices } from "./notices.svelte";
import { hasText, learnWords, say } from "./words.svelte";
import type { Problem } from "./wire";

/** A sentence for a refusal: the game's words, else the page's, else the server's own. */
export function reason(problem: Partial<Problem>, texts?: Texts): string {
  const key = problem.key ?? "";
  if (key === "unreachable") return say("why.unreachable"); // there from the first: without a line nothing is learned
  if (key === "rate") return tooMuch(problem);
  if (key && texts?.has(`why.${key}`)) return ended(texts.say(`why.${key}`, problem.params ?? {}));
  if (key && hasText(`why.${key}`)) return say(`why.${key}`, problem.params ?? {}, texts?.names);
  return problem.message || say("why.unknown");
}

/** What there was too much of, and for how long. */
function tooMuch({ params }: Partial<Problem>): string {
  const seconds = Number(params?.["seconds"] ?? 0);
  const wait = seconds > 0 ? "rate_wait" : "rate";
  const keys = [`slowed.${String(params?.["what"])}`, `why.${wait}`].filter(hasText);
  const said = keys.slice(0, seconds > 0 ? 2 : 1);
  return said.map((key) => say(key, { seconds })).join(" ") || say("why.unknown");
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Words for all that can be refused. Every screen has them but the home page, where little is. */
export async function learnReasons(): Promise<void> {
  await learnWords(["shared"]).catch(() => undefined); // that the server cannot be reached can be said without
}

/** Show whatever was thrown; `texts` know the names of the seats. */
export function complain(error: unknown, texts?: Texts): void {
  if (error instanceof Refused) notices.show(reason(error.problem, texts), "bad");
  else {
    console.error(error);
    notices.show(say("why.unknown"), "bad");
  }
}
