/** Posts one request to the endpoint. */

/** Timeout of the whole answer, in milliseconds: twice the longest time the service takes. */
export const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Posts an event and reads the answer to its end, since its body can fail to arrive, too.
 *
 * @throws What `fetch` throws, also on a timeout; another error when it refuses to make the request, as to the ports of
 * other protocols (Fetch Standard, port blocking).
 */
export async function postWithTimeout(
  url: string | URL,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }).catch((error) => {
    if (!(error instanceof TypeError) || isNetworkError(error)) throw error;
    const why = error.cause instanceof Error ? error.cause.message : 'invalid';
    const { origin } = new URL(url);
    throw new Error(`Cannot send to ${origin}: no request can be made there (${why}); give another address`, {
      cause: error,
    });
  });
  return new Response(await response.text(), response);
}

/** Error codes when nothing accepts the connection: the address is wrong, or the service does not run. */
const NOBODY_THERE: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether `fetch()` failed before it sent anything, since nothing accepted the connection. */
export function isNobodyThere(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && NOBODY_THERE.includes(cause.code);
}

/** Whether `fetch()`, or reading its answer, failed on the network (Fetch Standard, network error) or timed out. */
export function isNetworkError(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  return error instanceof TypeError && error.cause instanceof Error && 'code' in error.cause;
}
