/**
 * Actions on their way to the server, one at a time for each own seat. Until it is answered that seat has no other; if the
 * line breaks before, it is sent again word for word under the same name, and so is done once, whatever happened.
 */
import type { Act } from "./protocol";

/** How long to wait if the server is too busy for it. */
const RESEND_DELAY = 800;

export class PendingActions {
  private acts = $state.raw<Act[]>([]);
  private count = 0;

  constructor(private readonly send: (act: Act) => void) {}

  /** Whether something that `seat` does is on its way. */
  busy(seat: number): boolean {
    return this.acts.some((act) => act.seat === seat);
  }

  add(at: number, seat: number, action: string, delay: number | null): void {
    const act: Act = { type: "act", id: `${Date.now().toString(36)}-${++this.count}`, at, action, seat, delay };
    this.acts = [...this.acts, act];
    this.send(act);
  }

  /** Once more, whatever has no answer yet. */
  resendAll(): void {
    for (const act of this.acts) this.send(act);
  }

  /** This one once more in a while, if it has no answer by then. */
  resendLater(id: string | null | undefined): void {
    setTimeout(() => {
      for (const act of this.acts) if (act.id === id) this.send(act);
    }, RESEND_DELAY);
  }

  /** Whether this is the name of something that is on its way. */
  has(id: string | null | undefined): boolean {
    return this.acts.some((act) => act.id === id);
  }

  /** The action of this name was answered. */
  acknowledge(id: string | null | undefined): void {
    if (this.has(id)) this.acts = this.acts.filter((act) => act.id !== id);
  }
}
