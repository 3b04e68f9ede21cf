import type { CaptureDocument } from '../contract/schemas.ts';
import { programName } from '../compare/match/recorded-program.ts';

/**
 * Returns a key that captures of one program share, as in Compare: the file's name without folders and versions; for
 * imports, which do not state it, the capture's name without the number of the run. Null if there is neither.
 */
export function programKey({
  process,
  collector,
  name,
}: Pick<CaptureDocument, 'process' | 'collector' | 'name'>): string | null {
  const [command = []] = collector?.commands ?? [];
  const end = command.indexOf('--');
  const program = process?.executable ?? process?.name ?? (end < 0 ? undefined : command[end + 1]);
  if (program !== undefined && program !== '') return `program ${programName(program)}`;
  if (collector !== null) return null;
  const imported = name.replace(/ \(\d+(?:\/\d+)?\)$/, '').trim();
  return imported === '' ? null : `import ${imported}`;
}
