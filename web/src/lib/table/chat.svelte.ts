/** The chat of a table. */
import type { ChatLine } from "../net/protocol";

const KEPT = 200;

export class Chat {
  lines = $state.raw<ChatLine[]>([]);
  /** Lines that have not been read yet. */
  unread = $state(0);

  begin(lines: ChatLine[]): void {
    this.lines = lines;
  }

  /** Add a line. An own line counts as read. */
  add(line: ChatLine, own: boolean): void {
    this.lines = [...this.lines, line].slice(-KEPT);
    if (!own) this.unread++;
  }

  /** Mark all lines as read. */
  read(): void {
    this.unread = 0;
  }
}
