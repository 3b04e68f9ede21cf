import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCommand } from '../../scripts/components.mjs';

/**
 * Makes a folder that holds `ssh`: the system's, with this configuration instead of the user's and the system's. Returns a PATH that
 * begins with it, for whole programs that are to reach test hosts. A later `-F` of theirs still counts.
 */
export async function sshClientPath(folder: string, configText: string): Promise<string> {
  const config = join(folder, 'config');
  const program = join(folder, 'ssh');
  await mkdir(folder, { recursive: true });
  await writeFile(config, configText);
  await writeFile(program, `#!/bin/sh\nexec ${findCommand('ssh')} -F '${config}' "$@"\n`);
  await chmod(program, 0o755);
  return `${folder}:${process.env['PATH']}`;
}
