/** One request to the endpoint. */

/** How long to wait for the whole answer, in milliseconds: twice what the service takes at most. */
export const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Posts an event and reads the answer to its end, which may fail to arrive like the rest.
 *
 * @throws What `fetch` throws, also when the time is up.
 */
export async function postWithTimeout(
  url: string | URL,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  return new Response(await response.text(), response);
}

/** Codes of a connection that nobody accepts: the address is wrong, or the service does not run. */
const NOBODY_THERE: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether `fetch()` failed before anything was sent, since nobody is there. */
export function isNobodyThere(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && NOBODY_THERE.includes(cause.code);
}

/** Whether `fetch()` or reading its answer failed on the way (Fetch Standard, network error), or took too long. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}
