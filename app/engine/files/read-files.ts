import { AsyncLocalStorage } from 'node:async_hooks';
import type { FileIdentity } from '#collectors/effects/remove.ts';

/** The files that a command has read, by device and inode. */
const files = new AsyncLocalStorage<Set<string>>();

const keyOf = ({ dev, ino }: FileIdentity): string => `${dev}:${ino}`;

/** Runs a command, whose outputs must not replace the files that it reads: {@link wasRead}. */
export const notingReads = <T>(command: () => T): T => files.run(new Set(), command);

export function noteRead(file: FileIdentity): void {
  files.getStore()?.add(keyOf(file));
}

export const wasRead = (file: FileIdentity): boolean => files.getStore()?.has(keyOf(file)) === true;
