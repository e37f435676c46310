/** The review of the game that is replayed, if the user has asked for one: its parts of the page, and what it says where. */
import type { ReplaySource } from "../replay-source";
import type { Point } from "./review";
import type { ReviewRequest } from "./review-request.svelte";

export class ReplayReview {
  /** The parts of the page that only a review needs. */
  bundle = $state.raw<typeof import("./review-bundle") | null>(null);
  request = $state.raw<ReviewRequest | null>(null);
  /** The step whose card was closed. */
  closedCard = $state(-1);

  readonly review = $derived(this.request?.review ?? null);
  /** How many actions of the record have been done after each step. */
  private readonly ends: number[] = $derived.by(() => this.bundle?.ends(this.actors()) ?? []);
  /** The steps of which the review has something to say. */
  readonly points: Point[] = $derived(this.review && this.bundle ? this.bundle.points(this.review, this.ends) : []);
  /** After each step of the replay, the chance of every seat. */
  readonly chances = $derived.by(() => {
    const { review } = this;
    return review ? this.ends.map((done) => review.chances[done] ?? []) : [];
  });

  /** `actors` are those who acted, in the order of the record. */
  constructor(private readonly actors: () => number[]) {}

  /** Load the parts of the page that a review needs. */
  async load(): Promise<typeof import("./review-bundle")> {
    this.bundle = await import("./review-bundle");
    return this.bundle;
  }

  /** Ask for the review of a game. */
  async ask({ ReviewRequest }: typeof import("./review-bundle"), source: ReplaySource): Promise<void> {
    this.request = new ReviewRequest(source);
    await this.request.ask();
  }

  close(): void {
    this.request?.stop();
    this.request = null;
  }
}
