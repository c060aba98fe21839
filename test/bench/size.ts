/** What is deployed: its size, and the CPU time that an isolate needs to start it. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Size in bytes, time in milliseconds. */
export interface SizeResult {
  readonly bytes: number;
  readonly gzipBytes: number;
  readonly startMilliseconds: number;
}
