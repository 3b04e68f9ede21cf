import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronForTests } from '../../scripts/electron-for-tests.ts';

/** What marks the fuses in Electron's binary; then come a version, a count and one character each. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As Electron ships: runs as Node, takes NODE_OPTIONS and --inspect, checks no archive. */
const SHIPPED = '10110001';

/**
 * The Electron to package. Electron before 12 has no fuses: a copy of it gets Electron's own mark behind the end of its program, so that what the
 * packaging sets can be read from the package. They have no effect there.
 */
export function withFuses(electron: ElectronForTests, copy: string): { folder: string; version: string } {
  if (readFileSync(electron.executable).includes(SENTINEL)) return electron;
  cpSync(electron.folder, copy, { recursive: true });
  const header = Buffer.from([1, SHIPPED.length]);
  const executable = path.join(copy, path.basename(electron.executable));
  appendFileSync(executable, Buffer.concat([Buffer.from(SENTINEL), header, Buffer.from(SHIPPED)]));
  return { folder: copy, version: electron.version };
}

/** Each fuse of an executable by its name, on or off. */
export async function readFuses(executable: string): Promise<Record<string, boolean>> {
  const wire = Object.entries(await getCurrentFuseWire(executable)).filter(([name]) => name !== 'version');
  const named = wire.map(([index, state]) => [FuseV1Options[Number(index)] ?? index, Number(state) === 0x31]);
  return Object.fromEntries(named) as Record<string, boolean>;
}
