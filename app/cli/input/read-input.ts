import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { shownInput, STDIO } from '#app/engine/files/classify-word.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { gunzip } from '#app/engine/files/gunzip.ts';
import { folderSource, isProfileFolder } from '#app/engine/files/folder-source.ts';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import type { GivenBinaries } from '#app/engine/symbols/given-binaries.ts';
import { createDebuginfod, type Debuginfod } from '#collectors/symbols/debuginfod.ts';
import { countSamples } from '#core/model/sample-counts.ts';
import type { SymbolRequest } from '#core/symbols/symbols.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Profile } from '#core/model/profile.ts';
import { usageError } from '../errors.ts';
import { captureBeside } from '../library/capture-beside.ts';
import type { InputOptions } from './input-options.ts';
import { countText } from '#core/units/format.ts';
import { detail, say, warn } from '../output/terminal.ts';
import { warnOfDiagnostics } from '../output/warn-of-diagnostics.ts';

/**
 * Reads a command's profile and prints its importer's diagnostics to stderr. `mayReadHere` allows it to read this
 * machine's binaries that the profile names, for function names; the default is that of `Library.mayReadHere` for a
 * file in a capture's folder, and true for others.
 */
export async function readInput(path: string, options: InputOptions, mayReadHere?: boolean): Promise<Profile> {
  const profile = await importInput(path, options, mayReadHere);
  warnOfDiagnostics(profile.diagnostics);
  return profile;
}

export async function importInput(
  path: string,
  { from: format, kallsyms, binary }: InputOptions,
  mayReadHere?: boolean,
): Promise<Profile> {
  if (format !== undefined && !importers.some(({ id }) => id === format)) {
    const known = importers.map(({ id }) => id).join(', ');
    throw usageError(`unknown format '${format}'`, `--from takes one of ${known}`);
  }
  try {
    const source = isProfileFolder(path) ? folderSource(path) : fileSource(path);
    const mayRead = mayReadHere ?? (await mayReadBeside(path));
    return await withBinaries(binary ?? [], async (given) => {
      const recordedBefore = mayRead ? modifiedAt(path) : 0;
      // Reading files that the user passes is always allowed, unlike files that the profile names.
      const symbols = mayRead
        ? createLocalSymbols({ recordedBefore, kallsyms, given, debuginfod: debuginfod() })
        : (request: SymbolRequest) => given?.tableOf(request) ?? Promise.resolve(null);
      const profile = await importProfile(source, { ...(format === undefined ? {} : { format }), symbols, gunzip });
      for (const problem of given?.problems() ?? []) warn(problem);
      detail(`${path}: ${profile.metadata.format}, ${countText(countSamples(profile), 'sample')}`);
      return profile;
    });
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const document = await captureBeside(path);
    if (document !== null) {
      const { refuseEmpty } = await import('#app/engine/library/captures/contents.ts');
      refuseEmpty(document, statSync(path).size);
    }
    throw new ImportFailure(error.failure, `${shownInput(path)}: ${error.message}`, error.location);
  }
}

/** Opens the binaries that the user passed. */
async function withBinaries<T>(
  paths: readonly string[],
  read: (given: GivenBinaries | undefined) => Promise<T>,
): Promise<T> {
  if (paths.length === 0) return read(undefined);
  const { openGivenBinaries } = await import('#app/engine/symbols/given-binaries.ts');
  const given = openGivenBinaries(paths.map((file) => resolve(file)));
  try {
    return await read(given);
  } finally {
    await given.close();
  }
}

const debuginfod = (): Debuginfod | null =>
  createDebuginfod({
    environment: process.env,
    signal: new AbortController().signal,
    onFetch: (url) => say(`GET ${url}`),
    onProblem: warn,
  });

/** Whether the user named the inputs. */
let isNamedByUser = true;

/** From here on a program names the inputs: files outside captures give it nothing else of this machine. */
export function readOnlyRecorded(): void {
  isNamedByUser = false;
}

/**
 * Returns whether the files that an input names may be read: the result of `Library.mayReadHere` for a file in a
 * capture's folder, and true for others that the user named.
 */
export async function mayReadBeside(path: string): Promise<boolean> {
  const file = resolve(path);
  const document = path === STDIO ? null : await captureBeside(file);
  if (document === null) return isNamedByUser;
  const folder = dirname(file);
  const { createReadPermissions } = await import('#app/engine/library/read-permissions.ts');
  const permissions = createReadPermissions(dirname(folder), defaultConfigPath());
  return (await permissions.of({ ...document, id: basename(folder) })) !== null;
}

/** Returns Unix milliseconds; a stream counts as recorded now. */
function modifiedAt(path: string): number {
  const stats = path === STDIO ? undefined : statSync(path);
  return stats?.isFile() === true ? stats.mtimeMs : Date.now();
}
