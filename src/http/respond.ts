/** What every response of the Worker has in common. */

/** The headers of a response with any body, or none. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'cache-control': 'no-store', 'x-request-id': requestId };
}

/** Makes a response of a JSON value. */
export function respond(
  status: number,
  contentType: string,
  body: object,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...commonHeaders(requestId), 'content-type': contentType, ...headers },
  });
}
