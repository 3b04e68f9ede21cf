import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureDocumentSchema } from '#core/contract/schemas.ts';

const SOURCE = join(import.meta.dirname, 'programs', 'apiserver');
const PROFILES = join(import.meta.dirname, 'profiles', 'pprof');
const FLAMEBENCH = join(import.meta.dirname, '..', 'app', 'cli', 'flamebench.mjs');
const CAPTURES_A_SIDE = 5;
const SECONDS = 5;
const RATE = 800;
const SIDES = [
  { side: 'before', port: 18_081, flags: [] },
  { side: 'after', port: 18_082, flags: ['-dump=false'] },
] as const;

/**
 * Builds apiserver, sends both sides the same requests, and records them alternately with `flamebench record pprof`.
 * Takes a minute.
 */
export function recordApiserver(): void {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-apiserver-'));
  const program = join(folder, 'apiserver');
  const library = join(folder, 'library');
  cpSync(SOURCE, join(folder, 'source'), { recursive: true });
  execFileSync('go', ['build', '-trimpath', '-o', program, '.'], {
    cwd: join(folder, 'source'),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
  });
  const started: ChildProcess[] = [];
  const start = (...argv: string[]): void => void started.push(spawn(program, argv, { stdio: 'ignore' }));
  try {
    for (const { port, flags } of SIDES) start('-listen', `127.0.0.1:${port}`, ...flags);
    // Clients retry until the server listens.
    for (const { port } of SIDES) start('-drive', urlOf(port), '-rate', String(RATE), '-seconds', '120');
    const urls = SIDES.map(({ port }) => urlOf(port));
    const options = ['--seconds', String(SECONDS), '--repeat', String(CAPTURES_A_SIDE), '--library', library];
    execFileSync(process.execPath, [FLAMEBENCH, 'record', 'pprof', '--interleave', ...urls, ...options], {
      stdio: 'inherit',
    });
    keepCaptures(library);
  } finally {
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

/** Moves the captures of a library into samples/profiles, without the machine's name. */
function keepCaptures(library: string): void {
  rmSync(PROFILES, { recursive: true, force: true });
  const runs = { before: 0, after: 0 };
  const names = readdirSync(library).filter((name) => existsSync(join(library, name, 'capture.json')));
  for (const name of names.toSorted()) {
    const folder = join(library, name);
    const document = captureDocumentSchema.parse(JSON.parse(readFileSync(join(folder, 'capture.json'), 'utf8')));
    const side = document.series?.side;
    if (side === undefined || side === null) continue;
    const run = runs[side]++;
    const id = `apiserver-${side}-${run + 1}`;
    mkdirSync(join(PROFILES, id), { recursive: true });
    cpSync(join(folder, document.primaryFile), join(PROFILES, id, document.primaryFile));
    const kept = {
      ...document,
      id,
      name: `apiserver, ${side} (${run + 1}/${CAPTURES_A_SIDE})`,
      tags: ['apiserver', 'go', side],
      origin: 'sample',
      // The driver keeps its rate on both sides.
      requests: Math.round((RATE * document.durationMs!) / 1000),
      series: { id: `apiserver-${side}`, run, of: CAPTURES_A_SIDE },
      target: document.target && {
        ...document.target,
        host: 'sample',
        kernel: document.target.kernel?.replace(/^(\d+\.\d+).*$/, '$1') ?? null,
      },
    };
    writeFileSync(join(PROFILES, id, 'capture.json'), `${JSON.stringify(kept, null, 2)}\n`);
  }
}
