/** Routing by the path alone. */

/** What the router reads, and the request that it passes to its handlers. */
interface Routed {
  readonly method: string;
  readonly url: string;
  readonly proxy: Request;
}

/**
 * A request as the router sees it: without the query. The router would parse the query before a token has been checked,
 * in time that grows with the square of its length when one name repeats. Handlers get the original request.
 */
export function byPath(request: Request): Routed {
  const { method, url } = request;
  return { method, url: url.split('?', 1)[0] ?? url, proxy: request };
}

/**
 * The path of an absolute URL as written, without trailing slashes, which make no difference. The query is not parsed:
 * that takes time that grows with the square of its length when one name repeats, and no token has been checked yet.
 */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const query = url.indexOf('?');
  let end = query === -1 ? url.length : query;
  while (end > start && url.charAt(end - 1) === '/') end -= 1;
  return url.slice(start, end);
}
