import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureDocumentSchema } from '#core/contract/schemas.ts';

const SOURCE = join(import.meta.dirname, 'programs', 'lookup-service');
const PROFILES = join(import.meta.dirname, 'profiles', 'folded');
const FLAMEBENCH = join(import.meta.dirname, '..', 'app', 'cli', 'flamebench.mjs');
const CAPTURES_A_SIDE = 5;
const SECONDS = 4;
/** Requests per second that `--drive` sends. */
const RATE = 400;
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
    for (let run = 1; run <= CAPTURES_A_SIDE; run++) {
      for (const [place, { side }] of SIDES.entries()) {
        const options = ['--profile', 'async', '--seconds', String(SECONDS), '--library', library, '--name', side];
        execFileSync(process.execPath, [FLAMEBENCH, 'record', 'node', '--pid', pids[place]!, ...options], {
          stdio: 'inherit',
        });
      }
    }
    keepCaptures(library);
  } finally {
    for (const child of started) child.kill('SIGKILL');
    rmSync(library, { recursive: true, force: true });
  }
}

function keepCaptures(library: string): void {
  rmSync(PROFILES, { recursive: true, force: true });
  const runs = { before: 0, after: 0 };
  const names = readdirSync(library).filter((name) => existsSync(join(library, name, 'capture.json')));
  for (const name of names.toSorted()) {
    const document = captureDocumentSchema.parse(JSON.parse(readFileSync(join(library, name, 'capture.json'), 'utf8')));
    const side = document.name === 'before' ? 'before' : 'after';
    const run = runs[side]++;
    const id = `lookup-service-${side}-${run + 1}`;
    mkdirSync(join(PROFILES, id), { recursive: true });
    cpSync(join(library, name, document.primaryFile), join(PROFILES, id, document.primaryFile));
    const { circumstances: _load, ...facts } = document;
    const kept = {
      ...facts,
      id,
      name: `lookup-service, ${side} (${run + 1}/${CAPTURES_A_SIDE})`,
      tags: ['lookup-service', 'node', side],
      origin: 'sample',
      requests: RATE * SECONDS,
      series: { id: `lookup-service-${side}`, run, of: CAPTURES_A_SIDE },
      target: document.target && {
        ...document.target,
        host: 'sample',
        kernel: document.target.kernel?.replace(/^(\d+\.\d+).*$/, '$1') ?? null,
      },
    };
    writeFileSync(join(PROFILES, id, 'capture.json'), `${JSON.stringify(kept, null, 2)}\n`);
  }
}
