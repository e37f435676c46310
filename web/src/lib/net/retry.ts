/** Tries again what failed on its way here: scripts, style sheets, requests and the page's own Python alike. */

/** Milliseconds before the second, third and fourth try. */
export const RETRY_DELAYS: readonly number[] = [400, 1_200, 3_600];
/** The longest that a server's word on when to come back is followed; what takes longer is refused. */
export const MAX_RETRY_AFTER_S = 60;

/** An answer that is none: its status, and the seconds after which the server wants to be asked again. */
export class BadResponse extends Error {
  constructor(
    address: string,
    readonly status: number,
    readonly seconds = 0,
  ) {
    super(`${address}: ${status}`);
  }
}

/** Fetch a file; throws a BadAnswer if it is not there. */
export async function fetchFile(address: string, how?: RequestInit): Promise<Response> {
  const response = await fetch(address, how);
  if (!response.ok) throw new BadResponse(address, response.status, retryAfter(response));
  return response;
}

/** What a server says in Retry-After, in seconds; 0 if it says nothing. */
export function retryAfter(response: Response): number {
  const said = response.headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(said)) return Number(said);
  return Math.max(0, Math.ceil((Date.parse(said) - Date.now()) / 1000)) || 0;
}

/** Whether the same question may have another answer soon. */
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
