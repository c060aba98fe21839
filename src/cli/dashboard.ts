/** `npm run dashboard`: a dashboard for Grafana. */

import { runCommand } from './command.ts';
import { dashboard } from './dashboard/dashboard.ts';
import { toEnvironment } from './environments.ts';
import { COMMON_OPTIONS, describeOptions, readCommandLine } from './usage.ts';

const OPTIONS = { env: COMMON_OPTIONS.env };

const USAGE = `Usage: npm run --silent dashboard -- [--env NAME] > dashboard.json

Prints a dashboard of the queries in docs/operating.md, to import into Grafana with the plugin “Altinity for ClickHouse”.

${describeOptions(OPTIONS)}`;

await runCommand(USAGE, (args) => {
  const { values } = readCommandLine(args, OPTIONS);
  console.log(JSON.stringify(dashboard(toEnvironment(values.env)), null, 2));
});
