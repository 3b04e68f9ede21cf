import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { poisson, randomOf } from '../../../core/compare/simulate.ts';

const SECONDS = 10;
const RUNS = 5;
/** Samples per run of each function of a program that a profiler was attached to. */
const PROGRAM = {
  parse: 600,
  read: 500,
  hash: 400,
  route: 350,
  render: 300,
  log: 250,
  copy: 200,
  lock: 150,
  flush: 100,
};

let folder: string;
const sides = new Map<string, string[]>();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-load-'));
  const random = randomOf(46);
  const make = (name: string, scale: number, parse = 1, only = 9): void => {
    const program = Object.entries(PROGRAM).slice(0, only);
    const runs = Array.from({ length: RUNS }, (_, run) => {
      const samples = program.flatMap(([func, count]) =>
        Array.from({ length: poisson(count * scale * (func === 'parse' ? parse : 1), random) }, () => ({
          func,
          at: 100 + SECONDS * random(),
        })),
      );
      const text = samples
        .sort((a, b) => a.at - b.at)
        .map(
          ({ func, at }) =>
            `app 7 ${at.toFixed(6)}: 2004008 cpu-clock:\n\t4004 ${func}+0x4 (/srv/app)\n\t4000 main+0x0 (/srv/app)\n`,
        );
      const path = join(folder, `${name}-${run}.perf.txt`);
      writeFileSync(path, text.join('\n'));
      return path;
    });
    sides.set(name, runs);
  };
  make('base', 1);
  make('again', 1);
  make('starved', 0.5);
  make('starved-slower', 0.5, 1.3);
  make('loaded', 4);
  make('more', 1.5);
  make('few', 1, 1, 5);
  make('few-starved', 0.5, 1, 5);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Document {
  readonly sizes: {
    readonly status: string;
    readonly ratio: number | null;
    readonly whole: { readonly before: number; readonly after: number };
  } | null;
  readonly whole: { readonly verdict: string };
  readonly functions: readonly {
    readonly name: string;
    readonly after: { readonly self: number };
    readonly relative: { readonly self: number };
    readonly measured: { readonly self: { readonly after: number; readonly relative: number } } | null;
    readonly verdict: { self: string; total: string };
  }[];
}

const diff = (before: string, after: string, ...options: string[]) =>
  callCli(['diff', '--before', ...sides.get(before)!, '--after', ...sides.get(after)!, ...options]);

async function judged(before: string, after: string, ...options: string[]) {
  const { code, stdout, stderr } = await diff(before, after, '--json', ...options);
  const { sizes, whole, functions } = JSON.parse(stdout) as Document;
  const called = functions.filter(({ verdict }) => [verdict.self, verdict.total].some((of) => /grew|shrank/.test(of)));
  return { code, stderr, sizes, whole, functions, called: called.map(({ name }) => name) };
}

const LIMIT = ['--fail-on', 'self(^parse$) > 5%'];

describe('without requests', () => {
  test('a gate does not pass a regression on a machine that gives half the CPU', async () => {
    const { code, stderr, sizes, whole, functions, called } = await judged('base', 'starved-slower', ...LIMIT);
    expect(code).toBe(1);
    expect(stderr).toMatch(/failed: parse \+[23]\d\.\d % relative to the typical function/);
    expect(sizes).toMatchObject({ status: 'differs', ratio: expect.closeTo(0.5, 1) });
    expect(whole.verdict).toBe('not-decided');
    expect(called).toEqual(['parse']);
    const parse = functions.find(({ name }) => name === 'parse')!;
    expect(parse.relative.self).toBeCloseTo(0.3, 0);
    expect(parse.measured!.self.relative).toBeCloseTo(-0.35, 1);
    expect(parse.measured!.self.after / parse.after.self).toBeCloseTo(sizes!.ratio!, 1);
    expect(sizes!.whole.after / sizes!.whole.before).toBeCloseTo(0.55, 1);
    const { stdout } = await diff('base', 'starved-slower');
    expect(stdout).toMatch(
      /^×0\.5\d in all: load or machine\. Relative to the typical function, parse grew by .*\n\nwarning: ×0\.5\d in all, not decided: load or machine\. Changes are relative to the typical/,
    );
    expect(stdout).toMatch(/^parse grew by [23]\d\.\d % ± \d+\.\d % relative to the typical function/m);
  });

  test.each(['starved', 'loaded', 'more'])(
    '%s alone changes no function, and leaves a gate undecided',
    async (after) => {
      const { code, stderr, called } = await judged('base', after, ...LIMIT);
      expect(called).toEqual([]);
      expect(code).toBe(5);
      expect(stderr).toMatch(/inconclusive: not decided: load or machine; record requests/);
    },
  );

  test('sides of the same size are judged as measured, and a gate may pass', async () => {
    const { code, sizes, functions, called } = await judged('base', 'again', '--fail-on', 'self(^parse$) > 20%');
    expect(sizes!.status).toBe('same');
    expect(called).toEqual([]);
    expect(functions.every(({ measured }) => measured === null)).toBe(true);
    expect(code).toBe(0);
  });

  test('too few functions for a factor decide nothing', async () => {
    const { code, stderr, sizes, functions } = await judged('few', 'few-starved', ...LIMIT);
    expect(sizes).toMatchObject({ status: 'unknown', reason: 'too few functions' });
    expect(functions.map(({ verdict }) => verdict.self)).toContain('not-decided');
    expect(stderr).toMatch(/not decided: load or machine/);
    expect(code).toBe(5);
  });

  test('a view of few functions has the size of the whole captures', async () => {
    const { code, sizes, whole, called } = await judged('base', 'starved-slower', '--focus', 'parse', ...LIMIT);
    expect(sizes).toMatchObject({ status: 'differs', ratio: expect.closeTo(0.5, 1) });
    expect(whole.verdict).toBe('not-decided');
    expect(called).toEqual(['parse']);
    expect(code).toBe(1);
    const again = await judged('base', 'again', '--focus', 'parse', '--fail-on', 'self(^parse$) > 30%');
    expect(again).toMatchObject({ code: 0, called: [], sizes: { status: 'same' } });
  });

  test('a report of such a view has it, too, also if it is made again', async () => {
    const words = ['--before', ...sides.get('base')!, '--after', ...sides.get('starved-slower')!];
    const path = join(folder, 'focused.html');
    const made = await callCli(['report', ...words, '--compare', '--focus', 'parse', '-o', path]);
    expect(made.code).toBe(0);
    const again = await callCli(['report', path, '-o', join(folder, 'focused.md')]);
    expect(again.code).toBe(0);
    const text = readFileSync(join(folder, 'focused.md'), 'utf8');
    expect(text).toMatch(/parse.*relative to the typical function/);
    expect(text).toMatch(/after 1: [\d.]+ s × size 0\.\d\d/);
  });

  test('shares are judged if they are requested', async () => {
    const { sizes, called } = await judged('base', 'starved-slower', '--normalize', 'share');
    expect(sizes).toBeNull();
    expect(called).toContain('parse');
  });
});

test('with requests, values are judged as measured', async () => {
  const starved = await judged('base', 'starved', '--requests', '1', ...LIMIT);
  expect(starved.sizes).toBeNull();
  expect(starved.called.length).toBeGreaterThanOrEqual(9);
  expect(starved.code).toBe(0);
  expect((await judged('few', 'few-starved', '--requests', '1', ...LIMIT)).code).toBe(0);
});
