/** Pass-and-play: which player at this device sees the screen. */

export class PassAndPlay {
  /** The own seat whose player has to take the device before its view is shown; null if none has to. */
  curtain = $state<number | null>(null);

  constructor(private readonly switchViewpoint: (seat: number) => void) {}

  /**
   * Update the curtain: own seats that are `asked`, and the seat whose view is shown. Without secrets no curtain is needed;
   * what the players answer `together` they answer side by side.
   */
  settle(asked: number[], seat: number | null, secrets: boolean, together = false): void {
    const [first] = asked;
    if (first === undefined || together || (seat !== null && asked.includes(seat))) this.curtain = null;
    else if (secrets) this.curtain = first;
    else this.switchViewpoint(first);
  }

  /** The view of `seat` is shown now. */
  taken(seat: number | null): void {
    if (seat !== null && this.curtain === seat) this.curtain = null;
  }
}
