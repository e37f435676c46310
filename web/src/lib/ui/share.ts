/** Shares a text or link by the device's own means, or copies it to the clipboard. */
import { notices } from "./notices.svelte";
import { say } from "../text/words.svelte";

/** Whether that was possible; if not, it has to be copied by hand. */
export async function share(text: string, url: string): Promise<boolean> {
  if ("share" in navigator) {
    try {
      await navigator.share({ text, url });
      return true;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return true; // the user cancelled
    }
  }
  try {
    await navigator.clipboard.writeText(`${text}\n${url}`);
    notices.show(say("challenge.copied"), "good");
    return true;
  } catch {
    return false;
  }
}
