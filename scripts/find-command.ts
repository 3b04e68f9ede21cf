import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where a command is: on the PATH, or where cargo installs. null where it is absent. */
export function findCommand(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), '.cargo/bin')];
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
