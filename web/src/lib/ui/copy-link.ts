/** Put a link where it can be pasted from, and say so. */
import { notices } from "./notices.svelte";
import { say } from "../text/words.svelte";

export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    notices.show(say("invite.copied"), "good");
  } catch {
    notices.show(say("invite.copy_by_hand"));
  }
}
