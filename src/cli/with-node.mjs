// Runs a command with the project's Node.js first on the PATH: node src/cli/with-node.mjs COMMAND [ARGUMENTS]. In
// package.json it is preceded by `exec`, so that no shell is left between npm and this process: a signal would end the
// shell itself, and npm would not wait for the command. The Windows shell has no `exec`, and finds exec.cmd.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { findNode } from './find-node.mjs';

/** How often to check whether npm still runs, in milliseconds. */
const INTERVAL_MS = 500;

const windows = process.platform === 'win32';
const found = findNode();
if (found.error !== undefined) {
  console.error(found.error);
  process.exit(1);
}
process.env.PATH = dirname(found.program) + delimiter + process.env.PATH;

const [command = 'node', ...args] = process.argv.slice(2);
const isNode = command === 'node';
const program = isNode ? found.program : command;
const child = spawn(program, args, {
  // The channel closes when this process ends, by which a command of the project notices it.
  stdio: ['inherit', 'inherit', 'inherit', isNode ? 'ipc' : 'ignore'],
  // On Windows, a package's program is a batch file.
  shell: windows && !isNode,
});
child.on('error', (error) => {
  console.error(`Cannot run ${program}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));

const stop = () => child.kill('SIGTERM');
process.on('SIGTERM', stop);
process.on('SIGHUP', stop);
// A terminal sends SIGINT to the child, too. Without one, only npm may have received it and forwarded it. Commands
// treat SIGINT and SIGTERM together as one request.
process.on('SIGINT', () => process.stdin.isTTY || stop());

const parent = process.ppid;
setInterval(() => process.ppid === parent || stop(), INTERVAL_MS);
