import { lstat, rm } from 'node:fs/promises';

/** A folder that this process made, as opposed to another one with its path later. */
export interface OwnFolder {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Call it as soon as the folder has been made. */
export async function noteFolder(path: string): Promise<OwnFolder> {
  const { dev, ino } = await lstat(path, { bigint: true });
  return { path, dev, ino };
}

/** Removes it with its content; does nothing if its path now names something else, or nothing. */
export async function removeFolder({ path, dev, ino }: OwnFolder): Promise<void> {
  const there = await lstat(path, { bigint: true }).catch(() => null);
  if (there?.dev === dev && there.ino === ino) await rm(path, { recursive: true, force: true });
}
