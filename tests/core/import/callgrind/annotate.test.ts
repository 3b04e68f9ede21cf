import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { missingComponents } from '../../../../scripts/components.mjs';
import { byteSource } from '../../../support/byte-source.ts';
import { needing, type Need } from '../../../support/needing.ts';
import { rollUp } from '../../../support/profile-rollup.ts';

const valgrind: Need = { name: 'valgrind', present: () => missingComponents(['valgrind']).length === 0 };

const HEADER = '# callgrind format\nversion: 1\ncreator: test\n';
const COMPRESSED = 'positions: instr line\nevents: Ir\n\nfl=(1) a.c\nfn=(1) main\n0x10 10 5\n+4 +2 1\n-4 * 2\n';

const FILES: Readonly<Record<string, string>> = {
  'positions +n, -n and *': `${HEADER}${COMPRESSED}* +1 4\nfn=(2) f\n0x40 1 8\n`,
  'positions +n and * of lines alone': `${HEADER}events: Ir Dr\nfl=a.c\nfn=main\n10 1 2\n+3 4 8\n* 16 32\n-2 64\n`,
  'cfi= and cfl=, by name and by number': `${HEADER}${COMPRESSED}cfi=(2) b.c\ncfn=(2) f\ncalls=2 0x40 20\n* * 30
cfl=(2)\ncfn=(3) g\ncalls=1\n* -1 7\n\nfl=(2)\nfn=(2)\n0x40 20 20\n+1 * 10\nfn=(3)\n0x50 30 7\n`,
  'inlined code by fi= and fe=': `${HEADER}events: Ir\nfl=a.c\nfn=main\n10 1\nfi=inline.h\n3 2\nfe=a.c\n11 4\n`,
  'calls= whose cost line has no cost': `${HEADER}events: Ir\nfl=a.c\nfn=main\n10 1\ncfn=f\ncalls=3 20\n10\nfn=f\n20 8\n`,
  'calls that claim more than there is': `${HEADER}events: Ir\nfl=a.c\nfn=main\n1 1\ncfn=f\ncalls=1 1\n1 900\nfn=f\n1 9\n`,
  'several parts': `version: 1\npid: 1\npart: 1\nevents: Ir\nfl=a.c\nfn=main\n1 3\ntotals: 3\n\npart: 2\nfl=a.c\nfn=main\n1 4\nfn=f\n2 8\n`,
};

/** Files from tools other than Valgrind; see tests/fixtures/import/README.md. */
const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../fixtures/import/callgrind/${name}`, import.meta.url));

it('has the self values of the original profile in pprof’s own file', async () => {
  const selfOf = async (name: string, unitsPerNs: number): Promise<object> => {
    const profile = await importProfile(byteSource(readFileSync(fixture(name)), name));
    const cpu = profile.valueTypes.findIndex(({ type }) => type === 'cpu');
    const self = [...rollUp(profile, cpu).self].filter(([, weight]) => weight > 0);
    return Object.fromEntries(self.map(([func, weight]) => [func, weight * unitsPerNs]));
  };
  expect(await selfOf('pprof.callgrind', 1e6)).toEqual(await selfOf('pprof.pb.gz', 1));
});

needing(valgrind, () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'flamebench-callgrind-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(FILES))('%s: has the self costs and the total of callgrind_annotate', async (name, text) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.out`);
    writeFileSync(file, text);
    const theirs = annotate(file);
    const { self, sum } = rollUp(await importProfile(byteSource(text, 'callgrind.out')), 0);
    expect(sum).toBe([...theirs.values()].reduce((all, cost) => all + cost, 0));
    expect(Object.fromEntries([...self].filter(([, cost]) => cost > 0))).toEqual(Object.fromEntries(theirs));
  });

  it.each([
    ['pyprof2calltree.callgrind', 1],
    // Its unit is 10 ns.
    ['xdebug.callgrind', 10],
  ])(
    '%s, by another tool: has the self costs of callgrind_annotate, which sum up to the total',
    async (name, scale) => {
      const theirs = [...annotate(fixture(name))].map(([func, cost]) => [func, cost * scale] as const);
      const { self, sum } = rollUp(await importProfile(byteSource(readFileSync(fixture(name)), name)), 0);
      expect(Object.fromEntries([...self].filter(([, cost]) => cost > 0))).toEqual(Object.fromEntries(theirs));
      expect(sum).toBe(theirs.reduce((all, [, cost]) => all + cost, 0));
    },
  );

  it('has the total of Valgrind’s own file', { timeout: 60_000 }, async () => {
    const file = join(folder, 'callgrind.own.out');
    execFileSync('valgrind', ['--tool=callgrind', `--callgrind-out-file=${file}`, 'true'], { stdio: 'ignore' });
    const profile = await importProfile(byteSource(execFileSync('cat', [file]), 'callgrind.out'));
    const total = [...annotate(file).values()].reduce((all, cost) => all + cost, 0);
    expect(rollUp(profile, 0).sum).toBe(total);
  });
});

/** Returns self costs in the first event by function. Code from several files counts for its function. */
function annotate(file: string): Map<string, number> {
  const options = ['--threshold=100', '--auto=no', '--show-percs=no'];
  const text = execFileSync('callgrind_annotate', [...options, file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const rows = text.slice(text.indexOf('file:function')).split('\n').slice(2);
  const sums = new Map<string, number>();
  for (const row of rows.slice(0, rows.indexOf(''))) {
    const [, cost = '', place = ''] = /^ *([\d,]+|\.)(?: +(?:[\d,]+|\.))* {2}(.*)$/.exec(row) ?? [];
    const name = place.replace(/ \[[^\]]*\]$/, '').replace(/^(?:php:internal|.*?):(?!:)/, '');
    const weight = cost === '.' ? 0 : Number(cost.replaceAll(',', ''));
    if (weight > 0) sums.set(name, (sums.get(name) ?? 0) + weight);
  }
  return sums;
}
