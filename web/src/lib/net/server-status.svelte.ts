/** Whether a server can be reached. A static site has none. */
import { STATIC_SITE } from "../navigation/address";

const PROBE = 4_000;

class ServerStatus {
  /** No server could be reached when one was last asked. */
  unreachable = $state(STATIC_SITE || !navigator.onLine);

  constructor() {
    addEventListener("offline", () => (this.unreachable = true));
    addEventListener("online", () => void this.probe());
  }

  /** Ask the server whether it is there. */
  async probe(): Promise<boolean> {
    this.unreachable =
      STATIC_SITE ||
      !navigator.onLine ||
      !(await fetch("/api/health", { signal: AbortSignal.timeout(PROBE) }).then(Boolean, () => false));
    return !this.unreachable;
  }
}

export const serverStatus = new ServerStatus();
