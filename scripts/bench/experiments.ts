import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCommand } from '../components.mjs';
import { absentRow, type BenchRow } from './table.ts';

/** Experiments of each kind, and seconds of each run. */
const COUNT = Number(process.env['BENCH_EXPERIMENTS'] ?? 10);
const SECONDS = process.env['BENCH_SECONDS'] ?? '8';
const POWER = 0.8;
/** Share of a request's work that the middleware adds. */
const MIDDLEWARE = 0.05;
const STEPS = 1_000_000;

const what = {
  same: `${COUNT} experiments of a server against itself: no difference larger than a bound`,
  slower: `${COUNT} experiments with a middleware of ${100 * MIDDLEWARE} % of CPU per request: found within 10 minutes`,
};

/** Measures how often an experiment finds nothing where nothing changed, and a middleware that costs 5 %. */
export async function benchExperiments(): Promise<BenchRow[]> {
  if (findCommand('wrk') === null) return [absentRow(what.same, 'wrk absent'), absentRow(what.slower, 'wrk absent')];
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-experiments-'));
  try {
    writeFileSync(join(folder, 'server.mjs'), SERVER);
    const bounds: string[] = [];
    for (let place = 0; place < COUNT; place++) {
      const line = (await run(folder, STEPS, [])).find((said) => said.startsWith('No difference larger than '));
      if (line !== undefined) bounds.push(/([\d.]+ %) in CPU per request/.exec(line)?.[1] ?? '');
    }
    const times: number[] = [];
    for (let place = 0; place < COUNT; place++) {
      const start = performance.now();
      const [decision] = await run(folder, STEPS * (1 + MIDDLEWARE), ['--until-decided', 'cpu']);
      if (decision === 'CPU per request grew.') times.push((performance.now() - start) / 60_000);
    }
    return [
      row(what.same, bounds.length, 1 - 0.05, `bounds of CPU per request: ${bounds.join(', ')}`),
      row(what.slower, times.length, POWER, `minutes: ${times.map((one) => one.toFixed(1)).join(', ')}`),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const row = (name: string, found: number, share: number, note: string): BenchRow => ({
  what: name,
  found: `${found} of ${COUNT}`,
  limit: `≥ ${Math.floor(share * COUNT)}`,
  holds: found >= Math.floor(share * COUNT),
  note: `runs of ${SECONDS} s; ${note}`,
});

/** Answers after a loop of as many steps. */
const SERVER = `import { createServer } from 'node:http';
const [port, steps] = process.argv.slice(2).map(Number);
createServer((_, answer) => {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum += Math.sqrt(step);
  answer.end(String(sum));
}).listen(port, '127.0.0.1');
`;

/** Returns the conclusion of an experiment, a sentence each. */
async function run(folder: string, steps: number, options: readonly string[]): Promise<string[]> {
  const port = await freePort();
  const side = (count: number): string[] => [process.execPath, join(folder, 'server.mjs'), String(port), String(count)];
  const load = ['--profile', 'none', '--concurrency', '4', '--threads', '1', '--seconds', SECONDS, '--warm-up', '1'];
  const kept = ['--library', join(folder, 'library'), '--json'];
  const sides = ['--', ...side(STEPS), '--', ...side(steps)];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      'app/cli/flamebench.mjs',
      'experiment',
      'run',
      `http://127.0.0.1:${port}/`,
      ...load,
      ...kept,
      ...options,
      ...sides,
    ],
    { maxBuffer: 1 << 26 },
  );
  return (JSON.parse(stdout) as { conclusion: string[] }).conclusion;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
