import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronForTests } from './electron-for-tests.ts';

/** The marker of the fuses in Electron's binary; it is followed by a version, a count and one character per fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** The fuses as Electron ships: runs as Node, accepts NODE_OPTIONS and --inspect, checks no archive. */
const SHIPPED = '10110001';

/**
 * Returns the Electron to package. Electron before 12 has no fuses, so Electron's marker is appended to the program in
 * a copy, from which the fuses that packaging sets can be read; they have no effect there.
 */
export function withFuses(electron: ElectronForTests, copy: string): { folder: string; version: string } {
  if (readFileSync(electron.executable).includes(SENTINEL)) return electron;
  cpSync(electron.folder, copy, { recursive: true });
  const header = Buffer.from([1, SHIPPED.length]);
  const executable = path.join(copy, path.basename(electron.executable));
  appendFileSync(executable, Buffer.concat([Buffer.from(SENTINEL), header, Buffer.from(SHIPPED)]));
  return { folder: copy, version: electron.version };
}

/** Returns each fuse of an executable by name, on or off. */
export async function readFuses(executable: string): Promise<Record<string, boolean>> {
  const wire = Object.entries(await getCurrentFuseWire(executable)).filter(([name]) => name !== 'version');
  const named = wire.map(([index, state]) => [FuseV1Options[Number(index)] ?? index, Number(state) === 0x31]);
  return Object.fromEntries(named) as Record<string, boolean>;
}
