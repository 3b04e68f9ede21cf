import { lstat } from 'node:fs/promises';
import { dirname, join, parse, sep } from 'node:path';
import { homeFolder } from '#collectors/home-folder.ts';

/** What lies in a project's own folder. */
const MARKS = ['.git', '.hg', '.svn', '.jj', 'go.mod', 'Cargo.toml', 'package.json', 'pyproject.toml', 'pom.xml'];

/**
 * Returns the folder of the project that a file belongs to: the nearest one under version control or with a
 * build file, else the file's own. Never the root, the home folder or one above it. `path` is
 * absolute, with links followed.
 */
export async function projectFolder(path: string, home = homeFolder()): Promise<string> {
  const own = dirname(path);
  for (let folder = own; isProjectSized(folder, home); folder = dirname(folder)) {
    for (const mark of MARKS) if ((await lstat(join(folder, mark)).catch(() => null)) !== null) return folder;
  }
  return own;
}

const isProjectSized = (folder: string, home: string): boolean =>
  folder !== parse(folder).root && !isWithin(home, folder);

/** Returns whether a path is a folder or inside of it; both absolute, with links followed. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
