import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

// Tests open libraries and run commands that read the user's configuration, so they get a configuration folder of their
// own.
if (process.env['FLAMEBENCH_CONFIG'] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-config-'));
  process.env['FLAMEBENCH_CONFIG'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
