/** Imports run one way, so that each room of `src` can be read without those above it. `npm run order` holds it. */

/** What a room imports, beside itself. A file that lies directly in `src` is a room of its own. */
const ORDER = {
  'index.ts': ['config.ts', 'routes.ts', 'intake', 'landing', 'cron', 'http', 'telemetry', 'contract'],
  // What `npm start` runs in its place, and nothing deploys.
  local: ['config.ts', 'index.ts'],
  'routes.ts': ['config.ts', 'catalog', 'health', 'intake', 'status', 'http', 'contract'],
  'config.ts': ['guests', 'senders', 'storage', 'telemetry'],
  health: ['config.ts', 'http', 'storage', 'telemetry'],
  cron: ['config.ts', 'notify', 'guests', 'http', 'publish', 'table', 'storage', 'telemetry'],
  catalog: ['config.ts', 'http', 'senders', 'storage', 'telemetry'],
  status: ['config.ts', 'health', 'intake', 'http', 'senders', 'storage', 'telemetry'],
  notify: ['config.ts', 'health', 'http', 'storage', 'telemetry', 'contract'],
  intake: ['config.ts', 'result.ts', 'http', 'json', 'senders', 'telemetry', 'storage', 'contract'],
  landing: ['config.ts', 'telemetry', 'storage'],
  publish: ['config.ts', 'telemetry', 'guests', 'storage', 'contract'],
  table: ['guests', 'storage', 'contract'],
  guests: ['storage', 'contract', 'json'],
  storage: ['contract', 'json'],
  contract: ['json', 'result.ts'],
  // What the rooms above share.
  http: ['telemetry'],
  senders: ['result.ts', 'http', 'json', 'telemetry'],
  json: ['result.ts'],
  telemetry: [],
  'result.ts': [],
  // What follows is no part of the Worker: the tools, and the pages that describe it.
  cli: ['result.ts', 'guests', 'storage', 'contract', 'senders', 'http', 'json'],
  site: ['intake', 'http', 'contract', 'senders', 'status'],
};

/** The paths of some rooms. */
const pathOf = (rooms) => `^src/(?:${rooms.map((room) => room.replace('.', '\\.')).join('|')})(?:/|$)`;

const ONE_WAY = Object.entries(ORDER).map(([room, below]) => ({
  name: `${room} imports from ${below.join(', ') || 'no other room'}`,
  severity: 'error',
  from: { path: pathOf([room]) },
  to: { path: '^src/', pathNot: pathOf([room, ...below]) },
}));

export default {
  forbidden: [
    ...ONE_WAY,
    {
      name: 'every room has its place in the order',
      severity: 'error',
      from: { path: '^src/', pathNot: pathOf(Object.keys(ORDER)) },
      to: {},
    },
    { name: 'what is imported is there', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^\\.' } },
  ],
  options: { parser: 'swc', enhancedResolveOptions: { extensions: ['.ts'] } },
};
