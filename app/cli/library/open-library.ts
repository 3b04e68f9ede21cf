import { resolve } from 'node:path';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { SAMPLES_FOLDER } from '#app/engine/program-files.ts';
import { toCliError } from '../engine-errors.ts';
import { say, showProgress } from '../output/terminal.ts';

/**
 * Opens a command's library, including the bundled samples. A capture whose Flamebench was killed is recovered when the
 * command first reads it, and reported on stderr. Throws a `CliError`.
 */
export async function openCliLibrary(folder: string | undefined): Promise<Library> {
  try {
    const library = await openLibrary(folder === undefined ? defaultLibraryPath() : resolve(folder), {
      samplesPath: SAMPLES_FOLDER,
      recoverLater: true,
      // Loaded only if there is something to recover.
      recover: async (...capture) =>
        (await import('#app/engine/recording/recover-recording.ts')).recoverRecording(...capture),
    });
    return readingRecovered(library);
  } catch (error) {
    throw toCliError(error);
  }
}

/** Runs an action on a command's library. Failures of the engine are thrown as `CliError`. */
export async function withLibrary<T>(folder: string | undefined, action: (library: Library) => Promise<T>): Promise<T> {
  const library = await openCliLibrary(folder);
  try {
    return await action(library);
  } catch (error) {
    throw toCliError(error);
  } finally {
    library.close();
  }
}

/** Returns the library with reads that wait for the recovery of what they found, report it, and read again. */
function readingRecovered(library: Library): Library {
  for (const notice of library.notices) say(notice);
  let said = library.notices.length;
  const settled = async <T>(read: () => Promise<T>): Promise<T> => {
    const found = await read();
    const news = library.notices.slice(said);
    if (news.length === 0) return found;
    said = library.notices.length;
    for (const notice of news) say(notice);
    showProgress('complete recovered captures');
    await library.settled();
    showProgress('');
    return read();
  };
  return {
    ...library,
    list: (query) => settled(() => library.list(query)),
    beginning: (prefix) => settled(() => library.beginning(prefix)),
    get: (id) => settled(() => library.get(id)),
  };
}
