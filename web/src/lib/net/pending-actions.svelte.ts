/**
 * Actions that were sent and not yet acknowledged, one at a time for each own seat. If the connection is lost, an action is
 * sent again with the same id, so that the server does it once.
 */
import type { Act } from "./protocol";

/** How long to wait, in milliseconds, when the server is too busy. */
const RESEND_DELAY = 800;

export class PendingActions {
  private acts = $state.raw<Act[]>([]);
  private count = 0;

  constructor(private readonly send: (act: Act) => void) {}

  /** Whether an action of `seat` is pending. */
  busy(seat: number): boolean {
    return this.acts.some((act) => act.seat === seat);
  }

  add(at: number, seat: number, action: string, delay: number | null): void {
    const act: Act = { type: "act", id: `${Date.now().toString(36)}-${++this.count}`, at, action, seat, delay };
    this.acts = [...this.acts, act];
    this.send(act);
  }

  /** Send all pending actions again. */
  resendAll(): void {
    for (const act of this.acts) this.send(act);
  }

  /** Send this action again after a while, if it is still pending. */
  resendLater(id: string | null | undefined): void {
    setTimeout(() => {
      for (const act of this.acts) if (act.id === id) this.send(act);
    }, RESEND_DELAY);
  }

  /** Whether this is the id of a pending action. */
  has(id: string | null | undefined): boolean {
    return this.acts.some((act) => act.id === id);
  }

  /** The action with this id was answered. */
  acknowledge(id: string | null | undefined): void {
    if (this.has(id)) this.acts = this.acts.filter((act) => act.id !== id);
  }
}
