import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Tests open libraries and run commands that read the user's configuration, so they get a configuration folder of their
 * own. It is made and removed by Vitest's own process, since its workers are killed at the end.
 */
export function setup(): (() => void) | undefined {
  if (process.env['FLAMEBENCH_CONFIG'] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-config-'));
  process.env['FLAMEBENCH_CONFIG'] = folder;
  return () => {
    delete process.env['FLAMEBENCH_CONFIG'];
    rmSync(folder, { recursive: true, force: true });
  };
}
