// Runs a command with the Node.js of the project first on the PATH: node src/cli/with-node.mjs COMMAND [ARGUMENTS].
// In package.json `exec` stands in front, so that no shell is left between npm and this: it would die of a signal by
// itself, and npm would not wait for the command. Windows' own shell has no `exec`, and finds exec.cmd.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { findNode } from './find-node.mjs';

/** How often it is looked whether npm is still there, in milliseconds. */
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
  // The channel tells a command of the project when this process is gone.
  stdio: ['inherit', 'inherit', 'inherit', isNode ? 'ipc' : 'ignore'],
  // A package's program is a batch file there.
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
// A terminal sends it to the child too; without one it may have come to npm alone, which passes it on. A command takes
// it and SIGTERM for one request.
process.on('SIGINT', () => process.stdin.isTTY || stop());

const parent = process.ppid;
setInterval(() => process.ppid === parent || stop(), INTERVAL_MS);
