/** The review of a finished game: asked for once, then looked after until it is there. */
import { Refused } from "../../../lib/net/api";
import { errorText } from "../../../lib/text/error-messages";
import type { Review, ReviewInfo } from "../../../lib/net/protocol";
import type { ReplaySource } from "../replay-source";

const EVERY = 1_000;

export class ReviewRequest {
  /** How it stands, as far as one has heard. */
  info = $state.raw<ReviewInfo | null>(null);
  /** Why there is none, in a sentence. */
  wrong = $state("");

  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;

  constructor(private readonly source: ReplaySource) {}

  get review(): Review | null {
    return this.info?.review ?? null;
  }

  /** Ask for it; one that has failed is tried anew, and one that somebody asked for before is there at once. */
  async ask(): Promise<void> {
    this.stopped = false;
    await this.hear(this.source.askReview());
  }

  /** Nobody wants to know any more. The server works on. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async hear(answer: Promise<ReviewInfo>): Promise<void> {
    this.wrong = "";
    try {
      this.info = await answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.wrong = errorText(error.problem);
      return;
    }
    const { id, status } = this.info;
    if (this.stopped || status === "done" || status === "failed") return;
    this.timer = setTimeout(() => void this.hear(this.source.review(id)), EVERY);
  }
}
