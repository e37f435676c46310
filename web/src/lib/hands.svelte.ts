/** Pass and play: several people at one device, and whose hands it is to be in. */

export class Hands {
  /** The own seat that is asked while another one looks: it has to take the device first. */
  curtain = $state<number | null>(null);

  constructor(private readonly look: (seat: number) => void) {}

  /** Those of the device's own seats that are `asked`, and the seat that looks. Without secrets nobody need look away. */
  settle(asked: number[], seat: number | null, secrets: boolean): void {
    const [other] = asked;
    if (other === undefined || (seat !== null && asked.includes(seat))) this.curtain = null;
    else if (secrets) this.curtain = other;
    else this.look(other);
  }

  /** `seat` looks now. */
  taken(seat: number | null): void {
    if (seat !== null && this.curtain === seat) this.curtain = null;
  }
}
