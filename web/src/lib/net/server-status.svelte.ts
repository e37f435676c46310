/** Whether anybody answers for the server; on a site of files alone nobody does. */
import { STATIC_SITE } from "../navigation/address";

const PROBE = 4_000;

class ServerStatus {
  /** No server could be reached when one was last asked. */
  unreachable = $state(STATIC_SITE || !navigator.onLine);

  constructor() {
    addEventListener("offline", () => (this.unreachable = true));
    addEventListener("online", () => void this.probe());
  }

  /** Ask for a sign of life. */
  async probe(): Promise<boolean> {
    this.unreachable =
      STATIC_SITE ||
      !navigator.onLine ||
      !(await fetch("/api/health", { signal: AbortSignal.timeout(PROBE) }).then(Boolean, () => false));
    return !this.unreachable;
  }
}

export const serverStatus = new ServerStatus();
