import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { FunctionTable, Profile } from '#core/model/profile.ts';
import { EngineFailure } from '../failure.ts';
import type { Library } from '../library/library.ts';

/** What the engine knows about a capture's functions. Their names and files come only from the capture itself. */
export interface CaptureFunctions {
  readonly document: CaptureDocument;
  readonly strings: readonly string[];
  readonly functions: FunctionTable;
  /** By function: 1 if samples were taken in it, else 0. */
  readonly hasSelf: Uint8Array;
  /** Unix epoch milliseconds; null if unknown. */
  readonly profiledAt: number | null;
  readonly host: string | null;
}

/** Number of captures whose functions are cached, for switching between tabs. */
const MAX_KEPT = 4;

/**
 * Returns a function that reads captures' functions with the same indices as in the window, and caches the most recent.
 */
export function createCaptureFunctions(library: Library): (id: string) => Promise<CaptureFunctions> {
  const kept = new Map<string, { stamp: string; functions: Promise<CaptureFunctions> }>();
  return async (id) => {
    const document = await library.get(id);
    const { path, fileName } = await library.openFile(id);
    const { ino, size, mtimeMs } = await stat(path);
    const stamp = `${path} ${ino} ${size} ${mtimeMs}`;
    const known = kept.get(id);
    kept.delete(id);
    const functions = known?.stamp === stamp ? known.functions : readFunctions(document, path, fileName, size);
    kept.set(id, { stamp, functions });
    functions.catch(() => kept.delete(id));
    const oldest = kept.keys().next();
    if (kept.size > MAX_KEPT && oldest.done !== true) kept.delete(oldest.value);
    return functions;
  };
}

async function readFunctions(
  document: CaptureDocument,
  path: string,
  fileName: string,
  size: number,
): Promise<CaptureFunctions> {
  const source = { fileName, size, chunks: () => createReadStream(path, { highWaterMark: 1 << 18 }) };
  const profile = await importProfile(source).catch((error: unknown) => {
    if (!(error instanceof ImportFailure)) throw error;
    throw new EngineFailure('not-a-profile', `The capture can’t be read: ${error.message}.`, 'Open it for details.');
  });
  return describeFunctions(document, profile);
}

export function describeFunctions(document: CaptureDocument, profile: Profile): CaptureFunctions {
  const { stacks, frames, samples } = profile;
  const hasSelf = new Uint8Array(profile.functions.length);
  for (const stack of samples.stack) if (stack >= 0) hasSelf[frames.func[stacks.frame[stack]!]!] = 1;
  return {
    document,
    strings: profile.strings,
    functions: profile.functions,
    hasSelf,
    ...profileOrigin(profile, document),
  };
}

/** Returns when and where a profile was made, as far as it and its capture say. */
export function profileOrigin(
  { metadata }: Profile,
  document: CaptureDocument | null,
): Pick<CaptureFunctions, 'profiledAt' | 'host'> {
  const startTime = metadata.startTime === null ? null : Number(metadata.startTime / 1_000_000n);
  return { profiledAt: document?.startedAt ?? startTime, host: document?.target?.host ?? metadata.hostName };
}
