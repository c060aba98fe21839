/** Routing by path alone. */

/** What a router looks at, and what it hands on to its handlers in place of that. */
interface Routed {
  readonly method: string;
  readonly url: string;
  readonly proxy: Request;
}

/**
 * A request as the router is to see it: without its query. It would read all of it, in time that grows with the square
 * of its length when one name repeats, before anybody has shown a token. Handlers get the request as it is.
 */
export function byPath(request: Request): Routed {
  const { method, url } = request;
  return { method, url: url.split('?', 1)[0] ?? url, proxy: request };
}

/**
 * The path of an absolute URL, as it is written, without the slashes at its end: they make no difference. The query is not
 * looked at, since reading it takes time that grows with the square of its length when one name repeats, and nobody has
 * shown a token yet.
 */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const query = url.indexOf('?');
  let end = query === -1 ? url.length : query;
  while (end > start && url.charAt(end - 1) === '/') end -= 1;
  return url.slice(start, end);
}
