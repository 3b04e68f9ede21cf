import { printedBy } from './run-to-end.ts';
import type { Target } from './target.ts';
import { normalTargetPath, type TargetPath } from './target-words.ts';

/** Returns the path that a program is a link to, its own if it is none; null if the target does not say. */
export async function resolvedPath(target: Target, program: string): Promise<TargetPath | null> {
  return normalTargetPath((await printedBy(target, ['readlink', '-f', '--', program])).trim());
}
