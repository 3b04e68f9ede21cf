import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { folderSource, isProfileFolder } from '#app/engine/files/folder-source.ts';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Profile } from '#core/model/profile.ts';
import { usageError } from '../errors.ts';
import { captureBeside } from '../library/capture-beside.ts';
import type { InputOptions } from './input-options.ts';
import { warnOfDiagnostics } from '../output/warn-of-diagnostics.ts';

/**
 * Reads the profile that a command was given; prints what its importer tolerated to stderr. `mayReadHere`: binaries of this machine that it
 * names may be read for names of functions; default: of a file in a capture's folder what `Library.mayReadHere` would say, of others true.
 */
export async function readInput(path: string, options: InputOptions, mayReadHere?: boolean): Promise<Profile> {
  const profile = await importInput(path, options, mayReadHere);
  warnOfDiagnostics(profile.diagnostics);
  return profile;
}

export async function importInput(
  path: string,
  { from: format, kallsyms }: InputOptions,
  mayReadHere?: boolean,
): Promise<Profile> {
  if (format !== undefined && !importers.some(({ id }) => id === format)) {
    const known = importers.map(({ id }) => id).join(', ');
    throw usageError(`unknown format '${format}'`, `--from takes one of ${known}`);
  }
  try {
    const source = isProfileFolder(path) ? folderSource(path) : fileSource(path);
    const symbols =
      (mayReadHere ?? (await mayReadBeside(path)))
        ? { symbols: createLocalSymbols({ recordedBefore: modifiedAt(path), kallsyms }) }
        : {};
    return await importProfile(source, { ...(format === undefined ? {} : { format }), ...symbols });
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const name = path === '-' ? 'the standard input' : path;
    throw new ImportFailure(error.failure, `${name}: ${error.message}`, error.location);
  }
}

/** Whether what a file names may be read: of one in a capture's folder what `Library.mayReadHere` says, of others true, as the user named it. */
export async function mayReadBeside(path: string): Promise<boolean> {
  const file = resolve(path);
  const document = path === '-' ? null : await captureBeside(file);
  if (document === null) return true;
  const folder = dirname(file);
  const { createReadPermissions } = await import('#app/engine/library/read-permissions.ts');
  const permissions = createReadPermissions(dirname(folder), defaultConfigPath());
  return (await permissions.of({ ...document, id: basename(folder) })) !== null;
}

/** Unix milliseconds. A stream is recorded right now. */
function modifiedAt(path: string): number {
  const stats = path === '-' ? undefined : statSync(path);
  return stats?.isFile() === true ? stats.mtimeMs : Date.now();
}
