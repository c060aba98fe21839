/** Serves the pages that describe the service: static files built by `npm run site`. */

import { logError } from '../telemetry/log.ts';
import { commonHeaders } from './respond.ts';

/**
 * Returns the page at an address, or undefined where there is none. The Worker runs before the static files, because
 * they would answer any method but GET and HEAD with a plain 405.
 */
export async function staticPage(
  request: Request,
  { PAGES }: { readonly PAGES?: Pick<Fetcher, 'fetch'> },
): Promise<Response | undefined> {
  try {
    const response = await PAGES?.fetch(request);
    return response?.status === 404 ? undefined : response;
  } catch (error) {
    logError('page_broken', error);
    const headers = { ...commonHeaders(crypto.randomUUID()), 'Retry-After': '30' };
    return new Response('This page cannot be shown now; try again later\n', { status: 503, headers });
  }
}
