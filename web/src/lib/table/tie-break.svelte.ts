/** The tie-break at a table: arm wrestling for a first place that several seats share. */
import type { Contest, Pull } from "../net/protocol";
import { TieBreakTaps } from "./tie-break-taps";

export class TieBreak {
  /** How it stands; null if there is none. */
  state = $state.raw<Contest | null>(null);
  /** The taps in the current round by seat, as the server has told them. */
  told = $state.raw<{ [seat: number]: number }>({});
  /** The taps on this device. */
  readonly taps: TieBreakTaps;

  constructor(send: (message: Pull) => boolean) {
    this.taps = new TieBreakTaps(send);
  }

  /** Take the state that the server sent; `now` is the server's clock. */
  update(state: Contest | null, now: number): void {
    if (state) this.taps.update(state, now, performance.now());
    this.state = state;
    this.count(state?.round ?? 0, state?.pullers.map(({ count }) => count ?? 0) ?? []);
  }

  /** Take the numbers of taps in a round, in the order of the seats. */
  count(round: number, counts: number[]): void {
    if (round !== (this.state?.round ?? 0)) return;
    this.told = Object.fromEntries(this.state?.pullers.map(({ seat }, at) => [seat, counts[at] ?? 0]) ?? []);
  }

  /** Those of these seats that share the first place and are played by people. */
  among(seats: readonly number[]): number[] {
    const tied = this.state?.pullers ?? [];
    return tied.filter(({ seat, level }) => !level && seats.includes(seat)).map(({ seat }) => seat);
  }
}
