/** The race of the lesson as a trial: the table lies still until the player is ready, and no answer is sent. */
import { LessonScene } from "../../lib/learn/practice-scene.svelte";
import type * as contract from "../contract";

/** The exercise of the lesson in which a spider is turned over. */
const EXERCISE = "slap";

export class TrialScene extends LessonScene {
  phase = $state<"ready" | "racing" | "over">("ready");

  constructor(page: contract.GamePage) {
    super("cour", page);
    this.playback.hold();
  }

  /** Lay the cards on the table; false if they could not be loaded. */
  opens(): Promise<boolean> {
    return this.begins(EXERCISE);
  }

  /** Turn the card over; the cards are laid anew for a second race. */
  async race(): Promise<void> {
    if (this.phase === "over" && !(await this.begins(EXERCISE))) return;
    this.phase = "racing";
    this.playback.release();
  }

  /** The player has answered, or the time is up. */
  ends(): void {
    this.phase = "over";
  }

  override get legal(): string[] {
    return this.phase === "racing" ? super.legal : [];
  }

  /** The page judges the answer itself. */
  override act(): void {
    // nothing is sent
  }

  protected override rests(): void {
    // nothing is answered without the player
  }
}
