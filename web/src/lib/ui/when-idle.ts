/** Do something once the page has nothing else to do, or soon. Returns a function that cancels it. */
export function whenIdle(work: () => void, timeout = 2_000): () => void {
  if (!("requestIdleCallback" in window)) {
    const waiting = setTimeout(work, 500);
    return () => clearTimeout(waiting);
  }
  const waiting = requestIdleCallback(work, { timeout });
  return () => cancelIdleCallback(waiting);
}
