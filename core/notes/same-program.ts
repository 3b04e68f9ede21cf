import type { CaptureDocument } from '../contract/schemas.ts';
import { programName } from '../compare/match/recorded-program.ts';

/**
 * What captures of one program have in common, as Compare tells programs: the file's name without folders and versions; for imports, which
 * don't say, the name without what tells runs apart. Null where there is nothing to tell it by.
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
