import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listZip, unzip } from '#core/import/unpack/zip.ts';
import { UnwrapMeter } from '#core/import/unpack/unwrap-meter.ts';
import { createPart } from './effects/part-file.ts';
import { makeCacheFolder } from './effects/write.ts';
import { homeFolder } from './home-folder.ts';

/** A file of a tool's release that is sent to targets, and the zip archive that has it. */
export interface SentFile {
  /** Folder of this machine's cache. */
  readonly tool: string;
  readonly name: string;
  /** Where it runs, as `uname -m` prints it. */
  readonly machine: string;
  readonly sha256: string;
  readonly archiveSha256: string;
  /** Its path in the archive. */
  readonly entry: string;
}

/** Some ten times what a file or its archive has. */
export const MAX_SENT_BYTES = 64 << 20;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns a folder of this user's cache that is Flamebench's. */
export const ownCache = (name: string): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homeFolder(), '.cache'), 'flamebench', name);

export const keptPath = (file: SentFile): string => join(ownCache(file.tool), file.sha256, file.name);

/** Returns whether this machine keeps a file. */
export const isKept = (file: SentFile): Promise<boolean> =>
  stat(keptPath(file)).then(
    (found) => found.isFile(),
    () => false,
  );

/** Returns the kept file; null if there is none, or another one. */
export async function readKept(file: SentFile): Promise<Uint8Array | null> {
  const kept = await readFile(keptPath(file)).catch(() => null);
  return kept !== null && sha256(kept) === file.sha256 ? kept : null;
}

/** Keeps what a file that the user gives has of `files`: an archive, or one of them. Returns those kept. */
export async function keepGiven<T extends SentFile>(bytes: Uint8Array, files: readonly T[]): Promise<T[]> {
  const kept: T[] = [];
  for (const file of files) {
    const content = contentOf(bytes, file);
    if (content === null) continue;
    await keep(content, file);
    kept.push(file);
  }
  return kept;
}

/** Returns the file in an archive, or the file itself; null if it is neither. */
export function contentOf(bytes: Uint8Array, { sha256: wanted, archiveSha256, entry }: SentFile): Uint8Array | null {
  const sum = sha256(bytes);
  if (sum === wanted) return bytes;
  if (sum !== archiveSha256) return null;
  const packed = listZip(bytes).get(entry);
  const content = packed && unzip(packed, new UnwrapMeter({ maxBytes: MAX_SENT_BYTES }));
  return content !== undefined && sha256(content) === wanted ? content : null;
}

export async function keep(content: Uint8Array, file: SentFile): Promise<void> {
  const folder = await makeCacheFolder(ownCache(file.tool), file.sha256);
  const part = createPart(folder);
  try {
    part.write(content);
    part.becomes(join(folder, file.name), null, 0o600);
  } catch (error) {
    part.discard();
    throw error;
  }
}
