/** Games on this device, before anybody begins one. */

/** Start Python in a quiet moment, if it is kept: whoever is here will play on this device. Gives a way to leave it. */
export function warmUpHere(): () => void {
  const start = () => void import("../offline/house").then(({ warmUp }) => warmUp()).catch(() => undefined);
  if (!("requestIdleCallback" in window)) {
    const waiting = setTimeout(start, 500);
    return () => clearTimeout(waiting);
  }
  const waiting = requestIdleCallback(start, { timeout: 2_000 });
  return () => cancelIdleCallback(waiting);
}
