/**
 * The taps of the tie-break (arm wrestling) on this device. A round is timed by the device's own clock, from the moment its
 * screen says "go", and the taps are reported while they grow. So a slow connection is no disadvantage.
 */
import type { Contest, Pull } from "../net/protocol";

/** How often a count is reported at most, in milliseconds. */
export const REPORT_INTERVAL = 250;

export class TieBreakTaps {
  round = 0;
  private goes = 0;
  private ends = 0;
  private counts = new Map<number, number>();
  private reported = new Map<number, number>();
  private last = -Infinity;
  private closed = true;

  constructor(private readonly send: (message: Pull) => boolean) {}

  /** How things stand: `server` is the server's clock, `now` this device's. The first telling of a round counts. */
  update(tieBreak: Contest, server: number, now: number): void {
    if (tieBreak.phase !== "pulling") {
      this.round = 0;
      return;
    }
    const round = tieBreak.round ?? 0;
    const starts = tieBreak.starts ?? 0;
    if (round !== this.round) {
      this.round = round;
      this.goes = now + starts - server;
      this.ends = this.goes + tieBreak.lasts;
      this.counts.clear();
      this.reported.clear();
      this.last = -Infinity;
      this.closed = false;
    }
    // After a reload the server knows better; after a broken line, this device does.
    for (const { seat, count } of tieBreak.pullers) this.counts.set(seat, Math.max(count ?? 0, this.of(seat)));
  }

  /** Milliseconds until "go". */
  wait(now: number): number {
    return Math.max(0, this.goes - now);
  }

  stage(now: number): "ready" | "go" | "stop" {
    return now < this.goes ? "ready" : now < this.ends ? "go" : "stop";
  }

  of(seat: number): number {
    return this.counts.get(seat) ?? 0;
  }

  /** One tap, if it is in time. */
  tap(seat: number, now: number): void {
    if (this.round > 0 && this.stage(now) === "go") this.counts.set(seat, this.of(seat) + 1);
  }

  /**
   * Tell what these seats have tapped, if there is news of it and it is time to (or `soon`). At the end it is told in any
   * case: taps that came in a bunch may have been more than the server believed by then.
   */
  report(seats: readonly number[], now: number, soon = false): void {
    const stage = this.stage(now);
    if (this.round === 0 || this.closed || stage === "ready") return;
    if (stage === "go" && !soon && now - this.last < REPORT_INTERVAL) return;
    this.last = now;
    let told = true;
    for (const seat of seats) {
      const count = this.of(seat);
      if (stage === "go" && this.reported.get(seat) === count) continue;
      if (this.send({ type: "pull", round: this.round, count, seat })) this.reported.set(seat, count);
      else told = false;
    }
    this.closed = stage === "stop" && told;
  }
}
