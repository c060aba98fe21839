/** The address to which alarms are posted. Pure. */

/**
 * Reads ALERT_WEBHOOK, which is a secret because anyone who has the address can post there.
 *
 * @returns The address; undefined when it is neither https nor on this machine.
 */
export function webhookOf(secret: string): URL | undefined {
  const url = URL.parse(secret);
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  return url !== null && (url.protocol === 'https:' || isLocal) ? url : undefined;
}
