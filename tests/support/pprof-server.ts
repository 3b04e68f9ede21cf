import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../fixtures/pprof-server', import.meta.url));

export interface PprofServer {
  /** `127.0.0.1:40123` */
  readonly address: string;
  readonly pid: number;
  end(): void;
}

/** Builds the Go service of the tests; its path. The folder goes with `remove`. */
export function buildPprofServer(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-pprof-'));
  const path = join(folder, 'pprof-server');
  execFileSync('go', ['build', '-o', path, '.'], { cwd: SOURCE, stdio: 'pipe' });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts it; see its main.go for the flags. */
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
