/** What people say at a table. */
import type { ChatLine } from "../net/protocol";

const KEPT = 200;

export class Chat {
  lines = $state.raw<ChatLine[]>([]);
  /** Lines not looked at yet. */
  unread = $state(0);

  begin(lines: ChatLine[]): void {
    this.lines = lines;
  }

  /** A line more; one's `own` need not be read. */
  add(line: ChatLine, own: boolean): void {
    this.lines = [...this.lines, line].slice(-KEPT);
    if (!own) this.unread++;
  }

  /** All of it was looked at. */
  read(): void {
    this.unread = 0;
  }
}
