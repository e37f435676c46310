/** Whether anybody answers for the server; on a site of files alone nobody does. */
import { SITE } from "../navigation/address";

const PROBE = 4_000;

class Reach {
  /** No server could be reached when one was last asked. */
  lost = $state(SITE || !navigator.onLine);

  constructor() {
    addEventListener("offline", () => (this.lost = true));
    addEventListener("online", () => void this.probe());
  }

  /** Ask for a sign of life. */
  async probe(): Promise<boolean> {
    this.lost =
      SITE ||
      !navigator.onLine ||
      !(await fetch("/api/health", { signal: AbortSignal.timeout(PROBE) }).then(Boolean, () => false));
    return !this.lost;
  }
}

export const reach = new Reach();
