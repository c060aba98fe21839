/** `npm start`: the whole service on this machine, with everything that is needed to try it. */

import { join, relative } from 'node:path';
import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { SECRETS_FILE } from './local-secrets.ts';
import { DEFAULT_PORT, startLocal } from './local-service.ts';
import { PROJECT } from './project.ts';

const STATE_DIR = join(PROJECT, '.wrangler/state');

console.log('Starting the service, with Queue and R2 on this machine');
const service = await startLocal({ port: DEFAULT_PORT, stateDir: STATE_DIR, show: true }).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.stop());

console.log(`
The service is running. Send it an event:

  curl -i http://localhost:${DEFAULT_PORT}${ENDPOINT_PATH} \\
    -H 'Authentication: Bearer ${service.token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"IntegrationId":"int-1","PropertyId":"hotel-1","ReservationId":"res-1","EventType":"ReservationConfirmed","ReservationState":"Confirmed","AssignedResourceNumber":"101","StartUtc":"2026-07-10T14:00:00Z","EndUtc":"2026-07-14T10:00:00Z"}'

  Page     ${service.origin}, to read how it works and to try it
  Token    API_TOKEN in ${relative(PROJECT, SECRETS_FILE)}
  Rows     npm run events -- sql --source both "FROM events", a second later
  Bucket   ${service.origin}/cdn-cgi/local/explorer
  State    ${relative(PROJECT, STATE_DIR)}; delete it to start afresh
  Stop     Ctrl+C

Nothing runs on the clock here. To publish as if it were two hours later:

  curl "${service.origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=$(($(date +%s) + 7200))000"

The log:
`);

process.exitCode = await service.ended;
