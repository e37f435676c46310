/** Pass and play: several people at one device, and whose hands it is to be in. */

export class Hands {
  /** The own seat that is to take the device first: it is asked while another one looks, or while all do. */
  curtain = $state<number | null>(null);
  /** Everybody has gathered round the screen; it is nobody's until somebody takes it. */
  gathered = $state(false);

  constructor(private readonly look: (seat: number) => void) {}

  /**
   * Those of the device's own seats that are `asked`, and the seat that looks. Without secrets nobody need look away;
   * what they answer `together` they answer side by side.
   */
  settle(asked: number[], seat: number | null, secrets: boolean, together = false): void {
    const [first] = asked;
    const looks = seat !== null && asked.includes(seat);
    this.gathered ||= secrets && together;
    if (first === undefined || together || (looks && !this.gathered)) this.curtain = null;
    else if (secrets) this.curtain = looks ? seat : first;
    else this.look(first);
  }

  /** `seat` looks now. */
  taken(seat: number | null): void {
    if (seat === null || this.curtain !== seat) return;
    this.curtain = null;
    this.gathered = false;
  }
}
