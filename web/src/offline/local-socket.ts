/** A socket to a table on this device. It opens as soon as Python runs. */
import type { SocketLike } from "../lib/net/connection";

export function localSocket(table: string): SocketLike {
  const socket: SocketLike = {
    readyState: 0,
    onopen: null,
    onmessage: null,
    onclose: null,
    send: () => undefined,
    close: () => (socket.readyState = 3),
  };
  import("./host-client").then(({ connect }) => connect(table, socket)).catch(() => socket.onclose?.());
  return socket;
}
