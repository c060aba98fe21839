/** Sending requests to the service. */

/** Longer than the service ever takes: 6 s for a status when the bucket hangs, plus a rate limit. */
const TIMEOUT_MS = 15_000;

/** The response, or a readable reason why there is none. */
export type Reply<Body> =
  | { readonly status: number; readonly body: Body; readonly failure?: never }
  | { readonly failure: string };

/** Sends a request, with a token if there is one, and reads the response. */
export async function askService<Body>(path: string, token: string, request: RequestInit = {}): Promise<Reply<Body>> {
  try {
    const response = await fetch(path, {
      ...request,
      headers: { 'Content-Type': 'application/json', ...(token !== '' && { Authorization: `Bearer ${token}` }) },
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    return { failure: explain(error) };
  }
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return 'The service did not answer in time. Try again later.';
  if (error instanceof SyntaxError) return 'Something else than the service answered. Is there a proxy on the way?';
  return 'The service cannot be reached, or the token holds characters that no header can carry. Check both, then try again.';
}
