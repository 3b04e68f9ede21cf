import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

// Libraries and commands that tests open note what they record with the user's configuration: never with that of who runs the tests.
if (process.env['FLAMEBENCH_CONFIG'] === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-config-'));
  process.env['FLAMEBENCH_CONFIG'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
