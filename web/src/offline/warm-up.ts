/** Starts Python before the user begins a game on this device. */
import { whenIdle } from "../lib/ui/when-idle";

/** Start Python once the page is idle, if its files are stored here. Returns a function that cancels it. */
export function startPythonWhenIdle(): () => void {
  return whenIdle(
    () => void import("./host-client").then(({ startIfCached }) => startIfCached()).catch(() => undefined),
  );
}
