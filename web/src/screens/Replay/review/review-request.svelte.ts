/** The review of a finished game: requested once, then polled until it is done. */
import { Refused } from "../../../lib/net/api";
import { errorText } from "../../../lib/text/error-messages";
import type { Review, ReviewInfo } from "../../../lib/net/protocol";
import type { ReplaySource } from "../replay-source";

const EVERY = 1_000;

export class ReviewRequest {
  /** Its state, as the server told it last. */
  info = $state.raw<ReviewInfo | null>(null);
  /** Why there is none, in a sentence. */
  wrong = $state("");

  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;

  constructor(private readonly source: ReplaySource) {}

  get review(): Review | null {
    return this.info?.review ?? null;
  }

  /** Request the review. One that has failed is made anew; one that was requested before is there at once. */
  async ask(): Promise<void> {
    this.stopped = false;
    await this.poll(this.source.askReview());
  }

  /** Stop polling. The server works on. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async poll(answer: Promise<ReviewInfo>): Promise<void> {
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
    this.timer = setTimeout(() => void this.poll(this.source.review(id)), EVERY);
  }
}
