/**
 * The line to a table: a WebSocket to the server that looks after itself. It speaks first (`greeting`), answers and sends
 * heart-beats, and connects again when it breaks; see docs/protocol.md. To a table on this device the way is shorter: such a
 * line needs no heart-beat.
 */
import type { ByeMessage, ClientMessage, ServerMessage } from "./protocol";

/** As much of a WebSocket as a line needs. */
export interface Wire {
  readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export type LineState = "connecting" | "open" | "lost" | "closed";

const BEAT = 2_500;
const PATIENCE = 9_000;
const WAITS = [500, 1_000, 2_000, 4_000];
/** On this device, where a failure has been tried again already, and the page offers to. */
const WAITS_HERE = [500, 20_000];

interface Ears {
  greeting(): ClientMessage;
  message(message: ServerMessage): void;
  state(state: LineState): void;
  /** The server does not want us back. */
  bye(message: ByeMessage): void;
  /** It does, but only after some seconds, which it says. */
  later?(message: ByeMessage): void;
}

export class Line {
  private socket: Wire | null = null;
  private state: LineState = "connecting";
  private tries = 0;
  /** When the server said to reconnect at the earliest. */
  private notBefore = 0;
  private beats = 0;
  private beat: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private again: ReturnType<typeof setTimeout> | undefined;
  private wake = () => {
    if (document.visibilityState === "visible" && this.state === "lost" && Date.now() >= this.notBefore) this.connect();
  };

  /** The device says so itself: no need to wait until the silence is long enough. */
  private fall = () => {
    if (!this.near) this.lose();
  };

  constructor(
    /** The address of a server's socket, or what makes a line on this device. */
    private readonly where: string | (() => Wire),
    private readonly ears: Ears,
  ) {
    addEventListener("online", this.wake);
    addEventListener("offline", this.fall);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  /** It does not leave this device. */
  private get near(): boolean {
    return typeof this.where !== "string";
  }

  get open(): boolean {
    return this.state === "open";
  }

  /** Whether it could be sent; the answer is another matter. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Try at once instead of waiting. */
  retry(): void {
    if (this.state === "lost") this.connect();
  }

  close(): void {
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.fall);
    document.removeEventListener("visibilitychange", this.wake);
    this.drop(true);
    clearTimeout(this.again);
    this.turn("closed");
  }

  private connect(): void {
    this.drop();
    clearTimeout(this.again);
    const socket = typeof this.where === "string" ? (new WebSocket(this.where) as Wire) : this.where();
    this.socket = socket;
    this.listen();
    socket.onopen = () => {
      // Closed before it was open: see below.
      if (socket !== this.socket) return socket.close();
      socket.send(JSON.stringify(this.ears.greeting()));
      this.listen();
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.hear(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lose();
    };
  }

  private hear(message: ServerMessage): void {
    this.listen();
    if (message.type === "ping") this.send({ type: "pong", n: message.n });
    else if (message.type === "bye") {
      if (message.again) {
        this.lose(message.seconds ?? 0);
        if (message.seconds) this.ears.later?.(message);
      } else {
        this.close();
        this.ears.bye(message);
      }
    } else {
      if (message.type === "hello") {
        this.tries = 0;
        this.turn("open");
      }
      if (message.type !== "pong") this.ears.message(message);
    }
  }

  /** Something was heard: the next heart-beat and the end of patience count from now. */
  private listen(): void {
    clearTimeout(this.beat);
    clearTimeout(this.silence);
    if (this.near) return;
    this.beat = setTimeout(() => this.send({ type: "ping", n: ++this.beats }), BEAT);
    this.silence = setTimeout(() => this.lose(), PATIENCE);
  }

  private lose(seconds = 0): void {
    this.drop();
    this.notBefore = Date.now() + seconds * 1000;
    this.turn("lost");
    const waits = this.near ? WAITS_HERE : WAITS;
    const wait = waits[Math.min(this.tries++, waits.length - 1)] ?? 4_000;
    this.again = setTimeout(() => this.connect(), seconds * 1000 + wait * (0.75 + Math.random() / 2));
  }

  private drop(politely = false): void {
    clearTimeout(this.beat);
    clearTimeout(this.silence);
    const socket = this.socket;
    this.socket = null;
    // A browser complains of a close before the connection stands; a polite one waits until it does.
    if (!(politely && socket?.readyState === WebSocket.CONNECTING)) socket?.close();
  }

  private turn(state: LineState): void {
    if (this.state === state) return;
    this.state = state;
    this.ears.state(state);
  }
}
