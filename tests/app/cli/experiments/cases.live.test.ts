import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../support/free-port.ts';
import { runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'experiment-cases-'));
const script = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  execFileSync('mkfifo', [script('fifo')]);
  // PORT, the port behind or 0, and steps of work per request.
  writeFileSync(
    script('hop.mjs'),
    `import { Agent, createServer, request } from 'node:http';
const [port, behind, steps] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true });
createServer((_, answer) => {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum += Math.sqrt(step);
  if (behind === 0) return answer.end(String(sum));
  request({ port: behind, host: '127.0.0.1', agent }, (found) => found.pipe(answer))
    .on('error', () => answer.writeHead(502).end()).end();
}).listen(port, '127.0.0.1');
`,
  );
  // PORT, and 1 for a lookup per request that nobody waits for; the resolver's threads wait for a FIFO.
  writeFileSync(
    script('lookups.mjs'),
    `import { lookup } from 'node:dns';
import { open } from 'node:fs';
import { createServer } from 'node:http';
const [port, hasLookups] = process.argv.slice(2).map(Number);
for (let thread = 0; thread < 4; thread++) open('${script('fifo')}', 'r', () => undefined);
createServer((_, answer) => {
  if (hasLookups === 1) lookup('localhost', () => undefined);
  answer.end('ok');
}).listen(port, '127.0.0.1');
`,
  );
  // PORT, and whether the first answer of an instance to a client takes 200 ms; a new instance every 500 ms.
  writeFileSync(
    script('instances.mjs'),
    `import { createServer } from 'node:http';
const [port, isCold] = process.argv.slice(2).map(Number);
const started = Date.now();
const known = new Set();
createServer(({ headers }, answer) => {
  const instance = 'i' + Math.floor((Date.now() - started) / 500);
  const first = instance + headers['user-agent'];
  const wait = known.has(first) || isCold === 0 ? 0 : 200;
  known.add(first);
  answer.setHeader('x-instance', instance);
  setTimeout(() => answer.end('ok'), wait);
}).listen(port, '127.0.0.1');
`,
  );
});

// At any free port, inspectors of other tests' programs are no obstacle.
const node = (...words: readonly (string | number)[]): string[] => [
  process.execPath,
  '--inspect-port=0',
  ...words.map(String),
];
/** Starts several processes, which end together. */
const stack = (...commands: readonly string[][]): string[] => [
  'sh',
  '-c',
  `${commands.map((argv) => `${argv.map((word) => `'${word}'`).join(' ')} &`).join(' ')} wait`,
];

/** Reads a duration as sentences have it. */
const milliseconds = (text: string): number =>
  Number.parseFloat(text) * { s: 1000, ms: 1, µs: 1e-3 }[text.split(' ')[1] as 's' | 'ms' | 'µs'];

const SHORT = ['--warm-up', '0', '--cool-down', '0', '--threads', '1', '--repeat', '3', '--json'];

/** Returns the conclusion of an experiment, a sentence each. */
async function conclude(url: string, options: readonly string[], before: string[], after: string[]): Promise<string[]> {
  const sides = before.length === 0 ? [] : ['--', ...before, '--', ...after];
  const words = ['experiment', 'run', url, ...SHORT, ...options, '--library', join(folder, 'library'), ...sides];
  const { code, stdout, stderr } = await runCli(words);
  expect(code, stderr).toBe(0);
  const { conclusion, failure } = JSON.parse(stdout) as { conclusion: string[]; failure: string | null };
  expect(failure).toBeNull();
  return conclusion;
}

test('gateway, proxy and app: a slow proxy that is fixed is named, by CPU per request and by its probes', async () => {
  const [gateway, proxy, app] = [await freePort(), await freePort(), await freePort()];
  const side = (steps: number): string[] =>
    stack(
      // The app's work is most of its CPU per request, so that it is the same on both sides.
      node(script('hop.mjs'), app, 0, 300_000),
      node(script('hop.mjs'), proxy, app, steps),
      node(script('hop.mjs'), gateway, proxy, 1000),
    );
  const at = (port: number): string => `http://127.0.0.1:${port}/`;
  const names = Object.entries({ gateway, proxy, app }).flatMap(([name, port]) => ['--component', `${name}=:${port}`]);
  const probes = ['--series', `probe:2,proxy=${at(proxy)}`, '--series', `probe:2,app=${at(app)}`];
  const load = ['--concurrency', '4', '--seconds', '1', '--warm-up', '1', '--repeat', '4', '--profile', 'none'];
  const said = await conclude(at(gateway), [...load, ...names, ...probes], side(1_000_000), side(1000));
  const cpu = said.find((line) => line.startsWith('CPU per request by component, the largest change first: '));
  expect(cpu).toMatch(/^CPU per request by component, the largest change first: proxy shrank by [6-9]\d\.\d % .* → /);
  expect(cpu).toMatch(/; app .*; gateway |; gateway .*; app /);
  // The probes, which are not counted, are more of its work where fewer requests are answered.
  expect(cpu).not.toMatch(/; app (?:grew|shrank) by (?:[5-9]\d|\d{3})/);
  const probed = said.find((line) => line.startsWith('p99 of each component: '));
  // The slowest of two answers a run is too noisy for a verdict.
  expect(probed).toMatch(/: proxy .* → .*; app .* → /);
}, 120_000);

test('a Node service with lookups per request: the series that grows without bound is named', async () => {
  const port = await freePort();
  const load = ['--concurrency', '2', '--seconds', '7', '--repeat', '1', '--profile', 'node'];
  const said = await conclude(
    `http://127.0.0.1:${port}/`,
    load,
    node(script('lookups.mjs'), port, 1),
    node(script('lookups.mjs'), port, 0),
  );
  expect(said.join('\n')).toMatch(
    /^GetAddrInfoReqWrap of Node \d+ grew throughout 1 of 1 run before \(by .* per second\) and none of the runs after\.$/m,
  );
}, 120_000);

test('cold against warm instances: the share of cold answers and their medians are named', async () => {
  const port = await freePort();
  const load = ['--concurrency', '1', '--seconds', '2', '--profile', 'none', '--series', 'probe:20,x-instance'];
  const said = await conclude(
    `http://127.0.0.1:${port}/`,
    load,
    node(script('instances.mjs'), port, 1),
    node(script('instances.mjs'), port, 0),
  );
  const cold = said.flatMap((line) => {
    const [, count, of, median, others, side] =
      /^Probes at 1 connection: (\d+) of (\d+) answers \(.* %\) were cold, the first of an instance by x-instance, median (.*); the others (.*) \((before|after)\)\.$/.exec(
        line,
      ) ?? [];
    if (side === undefined) return [];
    return [{ side, share: Number(count) / Number(of), median: milliseconds(median!), others: milliseconds(others!) }];
  });
  expect(cold.map(({ side }) => side)).toEqual(['before', 'after']);
  const [before, after] = cold as [(typeof cold)[number], (typeof cold)[number]];
  // One cold answer of 200 ms, and six at 20 a second, in the 500 ms of an instance.
  expect(before.share).toBeGreaterThan(0.07);
  expect(before.share).toBeLessThan(0.3);
  expect(before.median).toBeGreaterThanOrEqual(200);
  for (const other of [before.others, after.others, after.median]) expect(other).toBeLessThan(100);
}, 120_000);
