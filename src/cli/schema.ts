/** `npm run schema`: prints table definitions, load statements, views and schemas. */

import { runCommand } from './command.ts';
import { printSchema, SCHEMA_USAGE } from './schema/print-schema.ts';

await runCommand(SCHEMA_USAGE, (args) => {
  process.stdout.write(printSchema(args));
});
