import { resolve } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { Profile } from '#core/model/profile.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { profileOrigin } from '#app/engine/source/capture-functions.ts';
import { readSourceFile } from '#app/engine/source/source-file.ts';
import { inputError } from '../errors.ts';
import { warn } from '../output/terminal.ts';

/** Lines of source files, by the file name in the profile. */
export type SourceTexts = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the files that a profile names. Each unreadable file is reported on stderr. `sourceDir` is the folder for
 * relative names.
 */
export async function readSourceTexts(
  files: Iterable<string>,
  profile: Profile,
  document: CaptureDocument | null,
  sourceDir: string | undefined,
): Promise<SourceTexts> {
  const texts = new Map<string, readonly string[]>();
  const folder = sourceDir === undefined ? null : resolve(sourceDir);
  for (const file of new Set(files)) {
    if (file === '') continue;
    try {
      const text = await readSourceFile({ file, ...profileOrigin(profile, document), folder });
      for (const warning of text.warnings) warn(warning);
      texts.set(file, text.lines);
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      warn([error.message, error.remedy].filter(Boolean).join(' '));
    }
  }
  return texts;
}

export const notTrusted = () =>
  inputError(
    'source text not read: this Flamebench did not record the capture on this machine, and whoever made it chose the files to read',
    'if you trust who made it, add --trust',
  );
