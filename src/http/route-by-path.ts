/** Routing by path alone. */

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
