/** Games on this device, before anybody begins one. */
import { whenIdle } from "../lib/ui/when-idle";

/** Start Python in a quiet moment, if it is kept: whoever is here will play on this device. Gives a way to leave it. */
export function startPythonWhenIdle(): () => void {
  return whenIdle(
    () => void import("./worker-client").then(({ startIfCached }) => startIfCached()).catch(() => undefined),
  );
}
