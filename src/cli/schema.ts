/** `npm run schema`: the table definition and the load statement for a database. */

import { runCommand } from './command.ts';
import { printSchema, SCHEMA_USAGE } from './schema/print-schema.ts';

await runCommand(SCHEMA_USAGE, (args) => {
  process.stdout.write(printSchema(args));
});
