/** The viewpoint from which this device sees a table: one of its own seats, or the public view. */

/** How long to wait before a viewpoint is asked for again, if the server was asked too often. */
const RETRY_DELAY = 1_000;

export class SeatViewpoint {
  /** The seat whose view is shown; null for the public view. */
  seat = $state<number | null>(null);
  /** The server was asked for another viewpoint. What arrives before its answer may belong to either one. */
  switching = $state(false);
  /** A device that several people share shows the public view until one of them takes it. */
  private wanted: number | null = null;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** `send` asks the server for the view of a seat, or with null for the public view. */
  constructor(private readonly send: (seat: number | null) => void) {}

  /** Ask the server for the view of another own seat; null is the public view. */
  switchTo(seat: number | null): void {
    this.wanted = seat;
    this.switching = true;
    this.send(seat);
  }

  /** Ask again for the viewpoint that was asked for last. */
  resend(): void {
    this.switchTo(this.wanted);
  }

  isWanted(seat: number | null): boolean {
    return seat === this.wanted;
  }

  /** The server shows the view of `seat` from now on. Returns whether it is another one than before. */
  arrived(seat: number | null): boolean {
    clearTimeout(this.retryTimer);
    const changed = this.seat !== seat;
    this.switching = false;
    this.seat = seat;
    return changed;
  }

  /** The server refuses the viewpoint: for now, if it was asked too often (`rate`), else for good. */
  refused(key = ""): void {
    clearTimeout(this.retryTimer);
    if (key === "rate") this.retryTimer = setTimeout(() => this.resend(), RETRY_DELAY);
    else this.switching = false;
  }

  close(): void {
    clearTimeout(this.retryTimer);
  }
}
