import { resolve } from 'node:path';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { SAMPLES_FOLDER } from '#app/engine/program-files.ts';
import { toCliError } from '../engine-errors.ts';
import { say, showProgress } from '../output/terminal.ts';

/**
 * Opens a command's library, including the bundled samples. Captures whose Flamebench was killed are recovered first,
 * so that all commands see them; each is reported on stderr. Throws a `CliError`.
 */
export async function openCliLibrary(folder: string | undefined): Promise<Library> {
  try {
    const library = await openLibrary(folder === undefined ? defaultLibraryPath() : resolve(folder), {
      samplesPath: SAMPLES_FOLDER,
      // Loaded only if there is something to recover.
      recover: async (...capture) =>
        (await import('#app/engine/recording/recover-recording.ts')).recoverRecording(...capture),
    });
    for (const notice of library.notices) say(notice);
    if (library.notices.length > 0) showProgress('complete recovered captures');
    await library.settled();
    if (library.notices.length > 0) showProgress('');
    return library;
  } catch (error) {
    throw toCliError(error);
  }
}
