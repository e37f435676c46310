/** Short words to the person: a refusal and its reason, a link that was copied, a connection that came back. */
export interface Notice {
  id: number;
  text: string;
  tone: "plain" | "good" | "bad";
  /** The id of a rule that explains it, of this game. */
  rule?: string | undefined;
  game?: string | undefined;
}

class Notices {
  list = $state<Notice[]>([]);
  private last = 0;

  /** One at a time: the newest. */
  show(text: string, tone: Notice["tone"] = "plain", about: { rule?: string | undefined; game?: string } = {}): void {
    const id = ++this.last;
    this.list = [{ id, text, tone, ...about }];
    setTimeout(() => this.close(id), tone === "bad" ? 9000 : 5000);
  }

  /** Something else has happened. */
  clear(): void {
    this.list = [];
  }

  close(id: number): void {
    this.list = this.list.filter((one) => one.id !== id);
  }
}

export const notices = new Notices();
