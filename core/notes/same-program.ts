import { launchedCommand } from '../contract/launched-command.ts';
import type { CaptureDocument } from '../contract/schemas.ts';
import { programName } from '../compare/match/recorded-program.ts';

/**
 * Returns a key that captures of one program share, as in Compare: the file's name without folders and versions; for
 * imports, which do not state it, the capture's name without the number of the run. Null if there is neither.
 */
export function programKey(
  document: Pick<CaptureDocument, 'process' | 'collector' | 'name'> & Partial<Pick<CaptureDocument, 'options'>>,
): string | null {
  const { process, collector, name } = document;
  const program = process?.executable ?? process?.name ?? launchedCommand(document)[0];
  if (program !== undefined && program !== '') return `program ${programName(program)}`;
  if (collector !== null) return null;
  const imported = name.replace(/ \(\d+(?:\/\d+)?\)$/, '').trim();
  return imported === '' ? null : `import ${imported}`;
}
