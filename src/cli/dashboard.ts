/** `npm run dashboard`: a dashboard for Grafana. */

import { runCommand } from './command.ts';
import { dashboard } from './dashboard/dashboard.ts';
import { environments, toEnvironment } from './environments.ts';
import { describeOptions, readCommandLine } from './usage.ts';

const OPTIONS = {
  env: { value: 'NAME', about: `one of ${environments().join(', ')}`, default: 'production' },
} as const;

const USAGE = `Usage: npm run --silent dashboard -- [--env NAME] > dashboard.json

Prints a dashboard of the queries in docs/operating.md, to import into Grafana with the plugin “Altinity for ClickHouse”.

${describeOptions(OPTIONS)}`;

await runCommand(USAGE, (args) => {
  const { values } = readCommandLine(args, OPTIONS);
  console.log(JSON.stringify(dashboard(toEnvironment(values.env)), null, 2));
});
