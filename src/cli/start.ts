/** `npm start`: the whole service on this machine, with everything that is needed to try it. */

import { join } from 'node:path';
import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { SECRETS_FILE } from './local-secrets.ts';
import { DEFAULT_PORT, PROJECT, startLocal } from './local-service.ts';

const service = await startLocal({ port: DEFAULT_PORT, stateDir: join(PROJECT, '.wrangler/state'), show: true });

console.log(`
The service is running. Send it an event:

  curl -i http://localhost:${DEFAULT_PORT}${ENDPOINT_PATH} \\
    -H 'Authentication: Bearer ${service.token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"IntegrationId":"int-1","PropertyId":"hotel-1","EventType":"ReservationConfirmed","ReservationState":"Confirmed","AssignedResourceNumber":"101","StartUtc":"2026-07-10T14:00:00Z","EndUtc":"2026-07-14T10:00:00Z"}'

  Page      ${service.origin}, to read how it works and to try it
  Endpoint  ${service.endpoint}
  Token     API_TOKEN in ${SECRETS_FILE}
  Rows      ${service.origin}/cdn-cgi/local/explorer, bucket reservation-events, under landing/, about a second later
  Publish   npm run events -- ls shows what is published. Nothing runs on the clock here; to publish as if it were later:
            curl "${service.origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=$(($(date +%s) + 7200))000"
  State     ${join(PROJECT, '.wrangler/state')}; delete it to start afresh
  Stop      Ctrl+C
`);

process.exitCode = await service.ended;
