/**
 * One action on its way to the server. Until it is answered there is no other; if the line breaks before, it is sent again
 * word for word under the same name, and so is done once, whatever happened.
 */
import type { Act } from "./wire";

/** How long to wait if the server is too busy for it. */
const LATER = 800;

export class Errand {
  private act = $state.raw<Act | null>(null);
  private count = 0;

  constructor(private readonly send: (act: Act) => void) {}

  get busy(): boolean {
    return this.act !== null;
  }

  go(at: number, seat: number, action: string, delay: number | null): void {
    this.act = { type: "act", id: `${Date.now().toString(36)}-${++this.count}`, at, action, seat, delay };
    this.send(this.act);
  }

  /** Once more, if there is no answer yet. */
  again(): void {
    if (this.act) this.send(this.act);
  }

  later(): void {
    setTimeout(() => this.again(), LATER);
  }

  /** Whether this is the name of what is on its way. */
  is(id: string | null | undefined): boolean {
    return this.act !== null && this.act.id === id;
  }

  /** The action of this name was answered. */
  done(id: string | null | undefined): void {
    if (this.is(id)) this.act = null;
  }
}
