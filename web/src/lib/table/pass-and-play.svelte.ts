/** Pass and play: several people at one device, and whose hands it is to be in. */

export class PassAndPlay {
  /** The own seat that is asked while nobody or another one looks: it has to take the device first. */
  curtain = $state<number | null>(null);

  constructor(private readonly switchViewpoint: (seat: number) => void) {}

  /**
   * Those of the device's own seats that are `asked`, and the seat that looks. Without secrets nobody need look away;
   * what they answer `together` they answer side by side.
   */
  settle(asked: number[], seat: number | null, secrets: boolean, together = false): void {
    const [first] = asked;
    if (first === undefined || together || (seat !== null && asked.includes(seat))) this.curtain = null;
    else if (secrets) this.curtain = first;
    else this.switchViewpoint(first);
  }

  /** `seat` looks now. */
  taken(seat: number | null): void {
    if (seat !== null && this.curtain === seat) this.curtain = null;
  }
}
