/** What went wrong, in the reader's language. */
import { Refused } from "../net/api";
import type { Texts } from "./messages";
import { notices } from "../ui/notices.svelte";
import { hasText, loadWords, say } from "./words.svelte";
import type { Problem } from "../net/protocol";

/** A sentence for a refusal: the game's words, else the page's, else the server's own. */
export function errorText(problem: Partial<Problem>, texts?: Texts): string {
  const key = problem.key ?? "";
  if (key === "unreachable") return say("why.unreachable"); // loaded at first: without a connection no words can be loaded
  if (key === "rate") return tooMuch(problem);
  if (key && texts?.has(`why.${key}`)) return ended(texts.say(`why.${key}`, problem.params ?? {}));
  if (key && hasText(`why.${key}`)) return say(`why.${key}`, { ...soon(problem), ...problem.params }, texts?.names);
  return problem.message || say("why.unknown");
}

const UNITS = [86_400, 3_600, 60, 1];

/** When it may be tried again, rounded up: so many units, of so many seconds each. */
function soon({ params }: Partial<Problem>): { n: number; unit: number } {
  const seconds = Number(params?.["seconds"] ?? 0);
  const unit = UNITS.find((unit) => seconds >= 2 * unit) ?? 1;
  return { n: Math.ceil(seconds / unit), unit };
}

/** What there was too much of, and for how long. */
function tooMuch(problem: Partial<Problem>): string {
  const wait = soon(problem);
  const known = hasText(`slowed.${String(problem.params?.["what"])}`);
  const what = `slowed.${known ? String(problem.params?.["what"]) : "other"}`;
  const when = `why.${wait.n > 0 ? "rate_wait" : "rate"}`;
  const keys = wait.n > 0 ? [what, when] : [known ? what : when];
  return keys.every(hasText) ? keys.map((key) => say(key, wait)).join(" ") : say("why.unknown");
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Words for all that can be refused. Every screen has them but the home page, where little is. */
export async function loadErrorTexts(): Promise<void> {
  await loadWords(["shared"]).catch(() => undefined); // that the server cannot be reached can be said without
}

/** Show whatever was thrown; `texts` know the names of the seats. */
export function showError(error: unknown, texts?: Texts): void {
  if (error instanceof Refused) notices.show(errorText(error.problem, texts), "bad");
  else {
    console.error(error);
    notices.show(say("why.unknown"), "bad");
  }
}
