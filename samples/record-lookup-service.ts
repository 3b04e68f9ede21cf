import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SOURCE = join(import.meta.dirname, 'programs', 'lookup-service');
const PROFILES = join(import.meta.dirname, 'profiles', 'folded');
const FLAMEBENCH = join(import.meta.dirname, '..', 'app', 'cli', 'flamebench.mjs');
const CAPTURES_A_SIDE = 5;
const SECONDS = 4;
const SIDES = [
  { side: 'before', flags: [] },
  { side: 'after', flags: ['--cache'] },
] as const;
/** Node leaves a process in its first second alone, and the drivers need a moment. */
const WARM_UP_MS = 2000;

/**
 * Records which handles and requests the two sides of lookup-service create, alternately and under the same load. `folder`:
 * where the program runs, so that the captures do not contain paths of this machine. Takes a minute.
 */
export async function recordLookupService(folder: string): Promise<void> {
  const program = join(folder, 'lookup-service');
  const library = join(folder, 'lookup-library');
  cpSync(SOURCE, program, { recursive: true });
  const started: ChildProcess[] = [];
  const start = (...words: string[]): ChildProcess => {
    const child = spawn(process.execPath, [join(program, 'service.mjs'), ...words], {
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    started.push(child);
    return child;
  };
  try {
    const pids: string[] = [];
    for (const { flags } of SIDES) {
      const service = start(...flags);
      const [port] = (await once(service.stdout!, 'data')) as [Buffer];
      start('--drive', port.toString().trim());
      pids.push(String(service.pid));
    }
    await sleep(WARM_UP_MS);
    rmSync(PROFILES, { recursive: true, force: true });
    mkdirSync(PROFILES, { recursive: true });
    for (let run = 1; run <= CAPTURES_A_SIDE; run++) {
      for (const [place, { side }] of SIDES.entries()) {
        const file = join(PROFILES, `lookup-service-${side}-${run}.folded.txt`);
        const options = ['--profile', 'async', '--seconds', String(SECONDS), '--library', library, '-o', file];
        execFileSync(process.execPath, [FLAMEBENCH, 'record', 'node', '--pid', pids[place]!, ...options], {
          stdio: 'inherit',
        });
      }
    }
  } finally {
    for (const child of started) child.kill('SIGKILL');
    rmSync(library, { recursive: true, force: true });
  }
}
