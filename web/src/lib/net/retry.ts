/** Retries what could not be loaded: scripts, style sheets, requests and the page's own Python. */

/** Milliseconds before the second, third and fourth attempt. */
export const RETRY_DELAYS: readonly number[] = [400, 1_200, 3_600];
/** The longest Retry-After that is followed, in seconds; a longer one counts as a refusal. */
export const MAX_RETRY_AFTER_S = 60;

/** A response with an error status, and the seconds after which the server accepts another request. */
export class BadResponse extends Error {
  constructor(
    address: string,
    readonly status: number,
    readonly seconds = 0,
  ) {
    super(`${address}: ${status}`);
  }
}

/** Fetch a file; throws a BadResponse if it is not there. */
export async function fetchFile(address: string, how?: RequestInit): Promise<Response> {
  const response = await fetch(address, how);
  if (!response.ok) throw new BadResponse(address, response.status, retryAfter(response));
  return response;
}

/** The seconds in Retry-After; 0 if there is none. */
export function retryAfter(response: Response): number {
  const said = response.headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(said)) return Number(said);
  return Math.max(0, Math.ceil((Date.parse(said) - Date.now()) / 1000)) || 0;
}

/** Whether the same request may succeed soon. */
export function isTemporary(status: number): boolean {
  return [408, 425, 429, 500, 502, 503, 504].includes(status);
}

/**
 * Do something; if it fails, up to three times more, where that is `worth` it. Without a connection it fails at once, and
 * so it does after an answer that will stay the same.
 */
export async function retry<T>(
  work: (tries: number) => Promise<T>,
  isWorthRetrying: (error: unknown) => boolean = mayHelp,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work(tries);
    } catch (error) {
      const wait = RETRY_DELAYS[tries];
      const seconds = error instanceof BadResponse ? error.seconds : 0;
      if (wait === undefined || !isWorthRetrying(error) || seconds > MAX_RETRY_AFTER_S || !navigator.onLine)
        throw error;
      await pause(Math.max(wait, seconds * 1000) * (1 + Math.random() / 4));
    }
  }
}

function mayHelp(error: unknown): boolean {
  return !(error instanceof BadResponse) || isTemporary(error.status);
}

/** Wait for some milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
