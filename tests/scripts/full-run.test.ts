import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { chooseSteps } from '../../scripts/choose-steps.ts';
import { hashOfSources, writeFullRun } from '../../scripts/full-run.ts';
import { root } from '../../scripts/run-command.ts';
import { one } from '../../scripts/test-outcome.ts';
import { steps as allSteps, type Step } from '../../scripts/test-steps.ts';

const checkout = mkdtempSync(join(tmpdir(), 'flamebench-full-run-'));
const runs = join(checkout, 'tests/full-run.json');
const write = (name: string, text: string): void => writeFileSync(join(checkout, name), text);
const DATE = new Date('2026-11-29T23:30:00Z');
const step = (id: string, change: Partial<Step>): Step => ({
  id,
  checks: '',
  needs: [],
  run: () => Promise.resolve(one(null)),
  ...change,
});
const sources = ['a/**', 'b.ts'];
const steps = [step('plain', {}), step('dear', { sources }), step('rare', { onRequest: 'it is rare' })];
const choose = (isFull: boolean, only?: string): { chosen: string[]; leftOut: unknown } => {
  const { chosen, leftOut } = chooseSteps(steps, { only, isFull, checkout });
  return { chosen: chosen.map(({ id }) => id), leftOut };
};
const pass = (): void => writeFullRun(checkout, 'dear', hashOfSources(checkout, sources), DATE);

beforeEach(() => {
  rmSync(checkout, { recursive: true });
  for (const folder of ['tests', 'a/inner']) mkdirSync(join(checkout, folder), { recursive: true });
  write('a/inner/one.ts', '1');
  write('b.ts', '2');
});
afterAll(() => rmSync(checkout, { recursive: true }));

it('leaves a step out while its sources are those of its full run, and says so', () => {
  const rare = { id: 'rare', reason: 'it is rare' };
  expect(choose(false)).toEqual({ chosen: ['plain', 'dear'], leftOut: [rare] });
  pass();
  const hash = hashOfSources(checkout, sources);
  const reason = `unchanged since the full run of 2026-11-29 (${hash}); CI_FULL=1 runs it`;
  expect(choose(false)).toEqual({ chosen: ['plain'], leftOut: [{ id: 'dear', reason }, rare] });
});

it('runs it in a full run, and if it is named', () => {
  pass();
  expect(choose(true).chosen).toEqual(['plain', 'dear']);
  expect(choose(false, 'dear, rare')).toEqual({ chosen: ['dear', 'rare'], leftOut: [] });
  expect(() => choose(false, 'none')).toThrow('no step is named none');
});

it.each([
  ['changed', () => write('a/inner/one.ts', '3')],
  ['new', () => write('a/two.ts', '')],
  ['renamed', () => renameSync(join(checkout, 'a/inner/one.ts'), join(checkout, 'a/inner/other.ts'))],
])('runs it again after a file is %s, and what passes then stands in the file', (_what, change) => {
  pass();
  change();
  expect(choose(false).chosen).toEqual(['plain', 'dear']);
  pass();
  expect(choose(false).chosen).toEqual(['plain']);
});

it('moves no bytes from one file to the next without a new hash', () => {
  write('a/one', 'x');
  write('a/two', 'yz');
  const before = hashOfSources(checkout, ['a/*']);
  write('a/one', 'xy');
  write('a/two', 'z');
  expect(hashOfSources(checkout, ['a/*'])).not.toBe(before);
});

it('keeps the date of the first run with the same sources, and the other steps', () => {
  writeFullRun(checkout, 'vm', '0123456789abcdef', DATE);
  pass();
  const first = readFileSync(runs, 'utf8');
  writeFullRun(checkout, 'vm', '0123456789abcdef', new Date('2027-01-01'));
  expect(readFileSync(runs, 'utf8')).toBe(first);
  expect(Object.keys(JSON.parse(first) as object)).toEqual(['dear', 'vm']);
});

it.each(['{', '{"dear":{"date":"today","hash":"0123456789abcdef"}}', '{"dear":{"date":"2026-11-29","hash":""}}'])(
  'refuses a damaged list: %s',
  (text) => {
    writeFileSync(runs, text);
    expect(() => choose(false)).toThrow('tests/full-run.json is damaged; delete it');
  },
);

it('does not take sources for unchanged that are gone', () => {
  pass();
  rmSync(join(checkout, 'b.ts'));
  expect(() => choose(false)).toThrow('b.ts is not in the checkout');
});

it.each(allSteps.filter((some) => some.sources !== undefined).map(({ id, sources: own }) => [id, own!] as const))(
  'the sources of %s exist',
  (_id, own) => {
    expect(hashOfSources(root, own)).toMatch(/^[0-9a-f]{16}$/);
  },
);
