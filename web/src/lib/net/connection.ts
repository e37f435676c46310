/**
 * The connection to a table: a WebSocket that sends a greeting, exchanges heartbeats and reconnects when it is lost; see
 * docs/protocol.md. The connection to a table on this device needs no heartbeats.
 */
import type { ByeMessage, ClientMessage, ServerMessage } from "./protocol";

/** As much of a WebSocket as a connection needs. */
export interface SocketLike {
  readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export type ConnectionState = "connecting" | "open" | "lost" | "closed";

const HEARTBEAT = 2_500;
const SILENCE_LIMIT = 9_000;
const RETRY_DELAYS = [500, 1_000, 2_000, 4_000];
/** On this device, where a failure has been tried again already, and the page offers to. */
const LOCAL_RETRY_DELAYS = [500, 20_000];

interface ConnectionHandlers {
  greeting(): ClientMessage;
  message(message: ServerMessage): void;
  state(state: ConnectionState): void;
  /** The server closed the connection for good. */
  bye(message: ByeMessage): void;
  /** The server closed the connection, and says after how many seconds to reconnect. */
  later?(message: ByeMessage): void;
}

export class Connection {
  private socket: SocketLike | null = null;
  private state: ConnectionState = "connecting";
  private attempts = 0;
  /** When the server said to reconnect at the earliest. */
  private notBefore = 0;
  private heartbeats = 0;
  private heartbeat: ReturnType<typeof setTimeout> | undefined;
  private silenceTimer: ReturnType<typeof setTimeout> | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private reconnectWhenVisible = () => {
    if (document.visibilityState === "visible" && this.state === "lost" && Date.now() >= this.notBefore) this.connect();
  };

  /** The device itself reports that it is offline: no need to wait for the time-out. */
  private onOffline = () => {
    if (!this.local) this.fail();
  };

  constructor(
    /** The address of a server's WebSocket, or a function that makes a socket to the offline host. */
    private readonly target: string | (() => SocketLike),
    private readonly handlers: ConnectionHandlers,
  ) {
    addEventListener("online", this.reconnectWhenVisible);
    addEventListener("offline", this.onOffline);
    document.addEventListener("visibilitychange", this.reconnectWhenVisible);
    this.connect();
  }

  /** Whether it stays on this device. */
  private get local(): boolean {
    return typeof this.target !== "string";
  }

  get open(): boolean {
    return this.state === "open";
  }

  /** Send a message. Returns whether it could be sent, not whether it arrived. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Reconnect at once instead of waiting. */
  retry(): void {
    if (this.state === "lost") this.connect();
  }

  close(): void {
    removeEventListener("online", this.reconnectWhenVisible);
    removeEventListener("offline", this.onOffline);
    document.removeEventListener("visibilitychange", this.reconnectWhenVisible);
    this.closeSocket(true);
    clearTimeout(this.retryTimer);
    this.setState("closed");
  }

  private connect(): void {
    this.closeSocket();
    clearTimeout(this.retryTimer);
    const socket = typeof this.target === "string" ? (new WebSocket(this.target) as SocketLike) : this.target();
    this.socket = socket;
    this.restartTimers();
    socket.onopen = () => {
      // Closed before it was open: see below.
      if (socket !== this.socket) return socket.close();
      socket.send(JSON.stringify(this.handlers.greeting()));
      this.restartTimers();
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.fail();
    };
  }

  private receive(message: ServerMessage): void {
    this.restartTimers();
    if (message.type === "ping") this.send({ type: "pong", n: message.n });
    else if (message.type === "bye") {
      if (message.again) {
        this.fail(message.seconds ?? 0);
        if (message.seconds) this.handlers.later?.(message);
      } else {
        this.close();
        this.handlers.bye(message);
      }
    } else {
      if (message.type === "hello") {
        this.attempts = 0;
        this.setState("open");
      }
      if (message.type !== "pong") this.handlers.message(message);
    }
  }

  /** Restart the heartbeat and the time-out: something was received. */
  private restartTimers(): void {
    clearTimeout(this.heartbeat);
    clearTimeout(this.silenceTimer);
    if (this.local) return;
    this.heartbeat = setTimeout(() => this.send({ type: "ping", n: ++this.heartbeats }), HEARTBEAT);
    this.silenceTimer = setTimeout(() => this.fail(), SILENCE_LIMIT);
  }

  private fail(seconds = 0): void {
    this.closeSocket();
    this.notBefore = Date.now() + seconds * 1000;
    this.setState("lost");
    const waits = this.local ? LOCAL_RETRY_DELAYS : RETRY_DELAYS;
    const wait = waits[Math.min(this.attempts++, waits.length - 1)] ?? 4_000;
    this.retryTimer = setTimeout(() => this.connect(), seconds * 1000 + wait * (0.75 + Math.random() / 2));
  }

  private closeSocket(gently = false): void {
    clearTimeout(this.heartbeat);
    clearTimeout(this.silenceTimer);
    const socket = this.socket;
    this.socket = null;
    // Browsers complain about closing a socket that is still connecting: a gentle close waits until it is open.
    if (!(gently && socket?.readyState === WebSocket.CONNECTING)) socket?.close();
  }

  private setState(state: ConnectionState): void {
    if (this.state === state) return;
    this.state = state;
    this.handlers.state(state);
  }
}
