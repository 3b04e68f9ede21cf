import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Need } from './needing.ts';

const SOURCE = fileURLToPath(new URL('../fixtures/pprof-server', import.meta.url));

export interface PprofServer {
  /** `127.0.0.1:40123` */
  readonly address: string;
  readonly pid: number;
  end(): void;
}

/** The modules that {@link buildPprofServer} with `fgprof` needs, from the module cache or Go's module proxy. */
export const fgprof: Need = {
  name: 'the Go module github.com/felixge/fgprof',
  present: () => spawnSync('go', ['mod', 'download'], { cwd: SOURCE }).status === 0,
};

/** Builds the Go service of the tests and returns its path. `remove` deletes its folder. The tag `fgprof` adds fgprof. */
export function buildPprofServer(tags: readonly 'fgprof'[] = []): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-pprof-'));
  const path = join(folder, 'pprof-server');
  execFileSync('go', ['build', `-tags=${tags.join(',')}`, '-o', path, '.'], { cwd: SOURCE, stdio: 'pipe' });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the service. Its main.go describes the flags. */
export async function startPprofServer(path: string, ...flags: string[]): Promise<PprofServer> {
  const child = spawn(path, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  const [address = '', pid] = said.trim().split(' ');
  return { address, pid: Number(pid), end: () => void child.kill('SIGKILL') };
}
