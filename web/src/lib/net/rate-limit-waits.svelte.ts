/** Waits for the server's rate limits, or until it is less busy: the page shows what it waits for and for how long. */
import { mount } from "svelte";
import RateLimitNotice from "../../parts/frame/RateLimitNotice.svelte";
import { pause } from "./retry";
import { showError } from "../text/error-messages";
import { loadWords } from "../text/words.svelte";
import type { Json } from "./protocol";

interface Wait {
  /** What there was too much of: `tables`, `messages`, ..., or `busy`; empty if the server does not say. */
  what: string;
  until: number;
}

class RateLimitWaits {
  private waits = $state.raw<readonly Wait[]>([]);

  /** The wait that ends last. */
  get last(): Wait | undefined {
    return this.waits.toSorted((one, other) => one.until - other.until).at(-1);
  }

  /** Wait as long as the server wants, and a little more, so that not all browsers of one address come back at once. */
  async wait(problem: { key?: string; params?: Json }, seconds: number): Promise<void> {
    const ms = seconds * 1000 + Math.random() * 1000;
    const wait = { what: String(problem.params?.["what"] ?? problem.key ?? ""), until: Date.now() + ms };
    this.waits = [...this.waits, wait];
    await pause(ms);
    this.waits = this.waits.filter((one) => one !== wait);
  }
}

export const rateLimitWaits = new RateLimitWaits();

// beside the other notices, which screen readers hear
const target = document.querySelector(".notices") ?? document.body;
loadWords(["shared"]).then(() => mount(RateLimitNotice, { target }), showError);
