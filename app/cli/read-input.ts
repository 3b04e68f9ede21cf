import { statSync } from 'node:fs';
import { fileSource } from '#app/engine/file-source.ts';
import { fileParts } from '#app/engine/file-parts.ts';
import { folderSource, isProfileFolder } from '#app/engine/folder-source.ts';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Profile } from '#core/model/profile.ts';
import { usageError } from './errors.ts';
import type { InputOptions } from './input-options.ts';
import { warnOfDiagnostics } from './warn-of-diagnostics.ts';

/**
 * Reads the profile that a command was given; prints what its importer tolerated to stderr. `mayReadHere`: binaries of this machine that it
 * names may be read for names of functions; of a capture, what `Library.mayReadHere` says.
 */
export async function readInput(path: string, options: InputOptions, mayReadHere = true): Promise<Profile> {
  const profile = await importInput(path, options, mayReadHere);
  warnOfDiagnostics(profile.diagnostics);
  return profile;
}

export async function importInput(
  path: string,
  { from: format, kallsyms }: InputOptions,
  mayReadHere = true,
): Promise<Profile> {
  if (format !== undefined && !importers.some(({ id }) => id === format)) {
    const known = importers.map(({ id }) => id).join(', ');
    throw usageError(`no format is called '${format}'`, `--from takes one of ${known}`);
  }
  try {
    const source = isProfileFolder(path) ? folderSource(path) : fileSource(path);
    const startPartReader = fileParts(path, source.size);
    const symbols = mayReadHere ? { symbols: createLocalSymbols({ recordedBefore: modifiedAt(path), kallsyms }) } : {};
    return await importProfile(source, { ...(format === undefined ? {} : { format }), startPartReader, ...symbols });
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const name = path === '-' ? 'the standard input' : path;
    throw new ImportFailure(error.failure, `${name}: ${error.message}`, error.location);
  }
}

/** Unix milliseconds. A stream is recorded right now. */
function modifiedAt(path: string): number {
  const stats = path === '-' ? undefined : statSync(path);
  return stats?.isFile() === true ? stats.mtimeMs : Date.now();
}
