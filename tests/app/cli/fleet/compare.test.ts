import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { generateFleet } from '../../../support/generated-fleet.ts';

/** Ten hosts ran each of four releases three times; the third release made a function slower on eight of them. */
const RELEASES = ['1.0', '1.1', '1.2', '1.3'];
const SLOWED = 'checksum';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-test-'));
  file = path.join(folder, 'fleet.duckdb');
  const planted = { func: SLOWED, release: '1.2', factor: 1.6, hosts: 8 };
  await generateFleet(file, { hosts: 10, releases: RELEASES, captures: 3, samples: 1500, planted });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const fleet = async (...args: string[]) => {
  const run = await callCli(['fleet', ...args, '--in', file]);
  expect(run.stderr).not.toContain('Internal error');
  return run;
};
const json = async (...args: string[]) => JSON.parse((await fleet(...args, '--json')).stdout) as never;

interface DiffJson {
  readonly method: string;
  readonly before: { readonly captures: { readonly name: string }[] };
  readonly functions: { readonly name: string; readonly verdict: { readonly self: string; readonly total: string } }[];
}

test('diff finds the planted regression with hosts as replicates', async () => {
  const run = await fleet(
    'diff',
    '--before',
    'release=1.1',
    '--after',
    'release=1.2',
    '--json',
    '--normalize',
    'share',
  );
  const found = JSON.parse(run.stdout) as DiffJson;
  expect(run.stderr).toContain('30 captures merged to 10 replicates, one per host');
  expect(found.method).toContain('paired t');
  expect(found.before.captures).toHaveLength(10);
  expect(found.before.captures[0]!.name).toBe('web-1 (3 captures)');
  expect(found.functions.find(({ name }) => name === SLOWED)!.verdict.self).toBe('grew');
});

test('--fail-on decides the exit code', async () => {
  const sides = ['--before', 'release=1.1', '--after', 'release=1.2', '--normalize', 'share'];
  expect((await fleet('diff', ...sides, '--fail-on', `self(^${SLOWED}$) > +5%`)).code).toBe(1);
  const calm = ['--before', 'release=1.0', '--after', 'release=1.1', '--normalize', 'share'];
  expect((await fleet('diff', ...calm, '--fail-on', `self(^${SLOWED}$) > +50%`)).code).toBe(0);
});

test('history names the first release in which the function grew', async () => {
  const found: {
    firstGrew: string;
    releases: { release: string; hosts: number; self: number; verdict: string | null }[];
  } = await json('history', SLOWED, '--sort', 'self');
  expect(found.firstGrew).toBe('1.2');
  expect(found.releases.map(({ release, hosts }) => [release, hosts])).toEqual(RELEASES.map((one) => [one, 10]));
  expect(found.releases.map(({ verdict }) => verdict)).toEqual([null, 'noise', 'grew', 'shrank']);
  expect((await fleet('history', SLOWED, '--sort', 'self')).stdout).toContain('First grew in 1.2.');
});

test('--captures lists the hosts that carry the delta first', async () => {
  const found: { captures: { side: string; host: string; release: string }[] } = await json(
    'diff',
    '--before',
    'release=1.1',
    '--after',
    'release=1.2',
    '--captures',
    SLOWED,
  );
  expect(found.captures).toHaveLength(60);
  const slowed = new Set(Array.from({ length: 8 }, (_, host) => `web-${host + 1}`));
  for (const { side, host } of found.captures.slice(0, 12)) expect([side, slowed.has(host)]).toEqual(['after', true]);
});

test('one host a side is at most maybe', async () => {
  const found: DiffJson = await json(
    'diff',
    '--before',
    'release=1.1',
    '--after',
    'release=1.2',
    '--host',
    'web-1',
    '--normalize',
    'share',
  );
  const verdicts = new Set(found.functions.flatMap(({ verdict }) => [verdict.self, verdict.total]));
  expect(verdicts).toContain('suggestive');
  expect([...verdicts].filter((one) => one === 'grew' || one === 'shrank')).toEqual([]);
});

test('different hosts on each side are two samples of one fleet', async () => {
  const hosts = (side: string, first: number): string[] =>
    [0, 1, 2, 3].flatMap((place) => [side, `host=web-${first + place}`]);
  const sides = ['--before', 'release=1.1', ...hosts('--before', 1), '--after', 'release=1.2', ...hosts('--after', 5)];
  const run = await fleet('diff', ...sides, '--json', '--normalize', 'share');
  expect(run.stderr).toContain('hosts are compared as two samples');
  const found = JSON.parse(run.stdout) as DiffJson;
  expect(found.functions.find(({ name }) => name === SLOWED)!.verdict.self).toBe('grew');
});

test('list, top, search and open agree on the sums', async () => {
  const listed: { releases: { release: string; hosts: number; captures: number; samples: number }[] } =
    await json('list');
  expect(listed.releases.map(({ hosts, captures, samples }) => [hosts, captures, samples])).toEqual(
    RELEASES.map(() => [10, 30, 45_000]),
  );
  const top: { total: number; functions: { name: string; self: number; total: number }[] } = await json(
    'top',
    '--release',
    '1.2',
    '--type',
    'cpu-clock/nanoseconds',
  );
  const searched: { functions: { name: string; hosts: number; captures: number; self: number; total: number }[] } =
    await json('search', SLOWED.toUpperCase(), '--release', '1.2');
  const { name, self, total } = top.functions.find((one) => one.name === SLOWED)!;
  expect(searched.functions.find((one) => one.name === SLOWED)).toMatchObject({
    name,
    self,
    total,
    hosts: 10,
    captures: 30,
  });
  const output = path.join(folder, 'merged.flamebench');
  expect((await fleet('open', '--release', '1.2', '-o', output)).code).toBe(0);
  const opened = JSON.parse((await callCli(['top', output, '--json'])).stdout) as typeof top;
  expect(opened.total).toBe(top.total);
  expect(opened.functions).toEqual(top.functions);
});

test('refuses sides that overlap, sums that depend on the number of captures, and histories of two services', async () => {
  const overlap = await fleet('diff', '--before', 'release=1.1', '--after', 'env=test');
  expect(overlap).toMatchObject({ code: 2 });
  expect(overlap.stderr).toContain('is on both sides');
  const raw = await fleet('diff', '--before', 'release=1.1', '--after', 'release=1.2', '--normalize', 'raw');
  expect(raw.stderr).toContain('depend on how many captures were pushed');
  const none = await fleet('diff', '--before', 'release=1.1', '--after', 'release=9');
  expect(none).toMatchObject({ code: 3 });
  expect(none.stderr).toContain('no captures of: release 9');
});
