/** `npm run dashboard`: a dashboard for Grafana. */

import { runCommand } from './command.ts';
import { dashboard } from './dashboard/dashboard.ts';
import { environments, toEnvironment } from './environments.ts';
import { parseCommandLine } from './usage.ts';

const USAGE = `Usage: npm run --silent dashboard -- [--env ENV] > dashboard.json

Prints a dashboard of the queries in docs/operating.md, to import into Grafana with the plugin “Altinity for ClickHouse”.

  --env ENV  one of ${environments().join(', ')} (production)`;

await runCommand(USAGE, (args) => {
  const { values } = parseCommandLine({ args, options: { env: { type: 'string', default: 'production' } } });
  console.log(JSON.stringify(dashboard(toEnvironment(values.env)), null, 2));
});
