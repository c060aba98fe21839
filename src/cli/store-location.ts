/** Reads from the environment which bucket a tool works on. */

import { localStore } from './local-service.ts';
import type { StoreLocation } from './object-store/request.ts';

const VARIABLES = ['R2_URL', 'R2_ACCESS_KEY_ID', 'R2_SECRET_ACCESS_KEY'] as const;

/** The variables, as the help of what needs them explains them. */
export const STORE_VARIABLES = `\
  R2_URL                the bucket's address for the S3 API: https://ACCOUNT.r2.cloudflarestorage.com/BUCKET,
                        or for a bucket in a jurisdiction https://ACCOUNT.eu.r2.cloudflarestorage.com/BUCKET
  R2_ACCESS_KEY_ID      an R2 API token for that bucket (dashboard: R2, Manage API tokens)
  R2_SECRET_ACCESS_KEY  its secret`;

/** The variables, as the help of what does without them explains them. */
export const STORE_HELP = `${STORE_VARIABLES}
  Without them, the bucket is the one of \`npm start\` on this machine`;

/**
 * Reads the location of the bucket; defaults to that of `npm start`.
 *
 * @throws When only some of the variables are set, and when R2_URL is not a URL.
 */
export function storeLocation(env: NodeJS.ProcessEnv = process.env): StoreLocation {
  const missing = VARIABLES.filter((name) => !env[name]);
  if (missing.length === VARIABLES.length) return localStore();
  const { R2_URL: url = '', R2_ACCESS_KEY_ID: accessKeyId = '', R2_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;
  if (missing.length > 0) {
    throw new Error(`Cannot open the bucket: ${missing.join(' and ')} is not set; set it, or unset the others as well`);
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Error('Cannot open the bucket: R2_URL is not a URL; write all of it, beginning with https://');
  }
  return { url: url.replace(/\/+$/, ''), accessKeyId, secretAccessKey };
}
