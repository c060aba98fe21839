/** Posts to a webhook. */

import { log, logError } from '../telemetry/log.ts';

/** How long the webhook may take, in milliseconds. Publishing waits for it. */
export const POST_TIMEOUT_MS = 5_000;

/**
 * Posts a text as `{"text": …}`, which Slack, Mattermost, Google Chat and many others accept. Does not throw.
 *
 * @returns Whether the webhook confirmed it.
 */
export async function post(webhook: URL, text: string): Promise<boolean> {
  try {
    const response = await fetch(webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      // A redirect is not followed, since the address is a secret.
      redirect: 'manual',
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.ok) log('alarm_posted', { status: response.status });
    else logError('alarm_not_posted', new Error(`The webhook answers ${response.status}`));
    return response.ok;
  } catch (error) {
    // An error message of fetch may contain the address, which is a secret.
    const cause = error instanceof Error ? error.name : typeof error;
    logError('alarm_not_posted', new Error('It cannot be reached'), { cause });
    return false;
  }
}
