import { perfScriptImporter } from '#core/import/perf-script/perf-script.ts';
import { writeFolded, type FoldedOptions } from '#core/export/folded.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { Profile } from '#core/model/profile.ts';

/** Reads `perf script` text in chunks of `chunkBytes`. */
export function readPerfScript(input: string | Uint8Array, chunkBytes = Infinity): Profile {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const session = perfScriptImporter.start();
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    session.push(bytes.slice(at, Math.min(bytes.length, at + chunkBytes)));
  }
  const profile = session.finish();
  checkProfile(profile);
  return profile;
}

/** Returns the lines of the profile's folded text. */
export function foldedLinesOf(profile: Profile, options: FoldedOptions = {}): string[] {
  const decoder = new TextDecoder();
  let text = '';
  writeFolded(profile, options, (chunk) => (text += decoder.decode(chunk, { stream: true })));
  return text.split('\n').slice(0, -1);
}

export function diagnosticOf({ diagnostics }: Profile, code: string): Diagnostic | undefined {
  return diagnostics.find((diagnostic) => diagnostic.code === code);
}

/** Returns a sample of one frame with the given event line. */
export function sampleText(eventLine: string, frame = 'f'): string {
  return `${eventLine}\n\t            1139 ${frame} (/bin/a)\n\n`;
}
