/** `npm start`: runs the whole service on this machine, with everything needed to try it. */

import { join, relative } from 'node:path';
import { runCommand } from './command.ts';
import { lockFolder } from './folder-lock.ts';
import { SECRETS_FILE } from './local-secrets.ts';
import { DEFAULT_PORT, describeLost, type LocalService, startLocal } from './local-service.ts';
import { PROJECT } from './project.ts';
import { describeOptions, readCommandLine, UsageError } from './usage.ts';

const FOLDER = join(PROJECT, '.wrangler');
const STATE_DIR = join(FOLDER, 'state');

const OPTIONS = {
  port: { value: 'PORT', about: 'the port to listen on', default: String(DEFAULT_PORT), read: readPort },
} as const;

const USAGE = `Usage: npm start -- [--port PORT]

Runs the whole service on this machine, with Queue and R2, until Ctrl+C.

${describeOptions(OPTIONS)}`;

await runCommand(USAGE, async (args, interruption) => {
  const { values } = readCommandLine(args, OPTIONS);
  const unlock = lockFolder(FOLDER, 'start');
  process.exitCode = await start(values.port, interruption).finally(unlock);
});

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new UsageError('Cannot use --port: give a number from 1 to 65535');
}

/** Runs the service until it is stopped. Returns the exit code. */
async function start(port: number, interruption: AbortSignal): Promise<number> {
  console.log('Starting the service, with Queue and R2 on this machine');
  const service = await startLocal({ port, stateDir: STATE_DIR, show: true });
  interruption.addEventListener('abort', () => drain(service).then(() => service.stop()));
  process.once('exit', () => {
    service.kill();
    if (service.queued > 0) console.error(describeLost(service.queued));
  });
  console.log(introduction(service, port));
  const code = await service.ended;
  if (interruption.aborted) return 0;
  console.error('\nThe service has ended by itself');
  return code || 1;
}

/** Waits until everything that was accepted is in R2. */
async function drain(service: LocalService): Promise<void> {
  console.error('\nStopping once everything accepted is in R2; press Ctrl+C again to stop at once');
  await service.drain();
}

function introduction({ origin, endpoint, token, store }: LocalService, port: number): string {
  const isDefault = port === DEFAULT_PORT;
  const bucket = `R2_URL=${store.url} R2_ACCESS_KEY_ID=${store.accessKeyId} R2_SECRET_ACCESS_KEY=${store.secretAccessKey}`;
  return `
The service is running. Send it an event:

  curl -i ${endpoint} \\
    -H 'Authentication: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"IntegrationId":"int-1","PropertyId":"hotel-1","ReservationId":"res-1","EventType":"ReservationConfirmed","ReservationState":"Confirmed","AssignedResourceNumber":"101","StartUtc":"2026-07-10T14:00:00Z","EndUtc":"2026-07-14T10:00:00Z"}'

  Page     ${origin}, to read how it works and to try it
  Token    API_TOKEN in ${relative(PROJECT, SECRETS_FILE)}
  Rows     npm run events -- sql --fresh "FROM events", a second later
  Bucket   ${origin}/cdn-cgi/local/explorer
  State    ${relative(PROJECT, STATE_DIR)}; delete it to start with nothing
  Queue    in memory here: messages are lost when the service is killed, but not when it is stopped with Ctrl+C
  Stop     Ctrl+C
${isDefault ? '' : `\nThe commands look for it on port ${DEFAULT_PORT}. Give send --url ${endpoint}, and the others the variables\n\n  ${bucket}\n`}
No cron runs here. To publish as if it were two hours later:

  curl "${origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=$(($(date +%s) + 7200))000"

The log:
`;
}
