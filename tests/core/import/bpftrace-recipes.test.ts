import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';

const read = (text: string): Promise<Profile> => importProfile(byteSource(text), {});
const HEADER =
  'Attaching 4 probes...\n# flamebench map=a,b total=total type=TYPE unit=UNIT stacks=kernel,user keys=KEYS\n';
const header = (type: string, unit: string, keys = 'pid,tid,comm'): string =>
  HEADER.replace('TYPE', type).replace('UNIT', unit).replace('KEYS', keys);

const row = (map: string, keys: string, weight: number): string =>
  `@${map}[\n\tffffffff82265ec8 __schedule+1576\n, \n\t55c661826166 burn+45 (/srv/w)\n\t55c66182619a main+9 (/srv/w)\n, ${keys}]: ${weight}\n`;

const names = (profile: Profile): string[] => Array.from(profile.functions.name, (string) => profile.strings[string]!);
const sum = (profile: Profile, column = 0): number => profile.samples.weights[column]!.reduce((a, b) => a + b, 0);

describe('output of Flamebench’s bpftrace recipes', () => {
  it('joins the kernel’s and the user’s stack of a row and reads its thread', async () => {
    const profile = await read(`${header('cpu', 'samples')}${row('a', '12, 13, a, b]: 1', 4)}`);
    expect(profile.valueTypes).toMatchObject([{ type: 'cpu', unit: 'samples' }]);
    expect(names(profile)).toEqual(['__schedule', 'burn', 'main']);
    const [pid, tid, name] = [profile.threads.pid[0], profile.threads.tid[0], profile.threads.name[0]!];
    expect([pid, tid, profile.strings[name]]).toEqual([12, 13, 'a, b]: 1']);
    expect(sum(profile)).toBe(4);
    expect(profile.diagnostics).toEqual([]);
  });

  it('reads rows without one of the stacks, or without both', async () => {
    const kernel = '@a[\n\tffffffff82265ec8 __schedule+1576\n, , 1, 1, k]: 2\n';
    const user = '@a[, \n\t55c661826166 burn+45 (/srv/w)\n, 1, 1, u]: 3\n';
    const profile = await read(`${header('cpu', 'samples')}${kernel}${user}@a[, , 1, 1, n]: 5\n`);
    expect([...profile.samples.weights[0]!]).toEqual([2, 3, 5]);
    expect(profile.samples.stack[2]).toBe(-1);
  });

  it('counts the rows of a turn once, even if it was printed several times', async () => {
    const cut = `# flamebench turn=3\n${row('b', '1, 1, w', 7)}`;
    const again = `# flamebench turn=3\n${row('b', '1, 1, w', 9)}# flamebench printed=3\n`;
    const repeated = `# flamebench turn=3\n${row('b', '1, 1, w', 9)}# flamebench printed=3\n`;
    const last = `# flamebench turn=4\n${row('a', '1, 1, w', 1)}# flamebench printed=4\n@total: 10\n`;
    const profile = await read(
      `${header('cpu', 'samples')}${cut}${again}${repeated}${last}# flamebench nanoseconds=4200000000\n`,
    );
    expect(sum(profile)).toBe(10);
    expect(profile.metadata.durationNs).toBe(4.2e9);
    expect(profile.diagnostics).toEqual([]);
  });

  it('keeps the rows that were printed before bpftrace was killed', async () => {
    const profile = await read(
      `${header('cpu', 'samples')}# flamebench turn=0\n${row('a', '1, 1, w', 7)}@a[\n\tffffffff8`,
    );
    expect(sum(profile)).toBe(7);
    expect(profile.diagnostics).toMatchObject([{ code: 'truncated-input' }]);
  });

  it('reports the part of the total without a row', async () => {
    const profile = await read(`${header('cpu', 'samples')}${row('a', '1, 1, w', 75)}@total: 100\n`);
    expect(profile.diagnostics).toMatchObject([
      { code: 'lost-samples', count: 25, message: expect.stringMatching(/^25 % of the weight is lost/) as string },
    ]);
  });

  it('weighs a wall clock as a whole and by state, with states as labels', async () => {
    const text = header('wall-clock', 'microseconds', 'pid,tid,state,comm');
    const profile = await read(`${text}${row('a', '1, 1, 4, w', 30)}${row('a', '1, 1, 1, w', 70)}`);
    expect(profile.valueTypes.map(({ type }) => type)).toEqual(['wall-clock', 'on-cpu', 'off-cpu']);
    expect([0, 1, 2].map((column) => sum(profile, column))).toEqual([100, 30, 70]);
    expect(profile.samples.labelSets).toEqual([
      [{ key: 'state', text: 'on CPU' }],
      [{ key: 'state', text: 'sleeping' }],
    ]);
  });

  it('shows times of calls as frames below their function', async () => {
    const profile = await read(
      `${header('calls', 'count', 'pid,tid,bucket,comm')}${row('a', '1, 1, 7, w', 2)}${row('a', '1, 1, 0, w', 1)}`,
    );
    expect(names(profile)).toEqual(expect.arrayContaining(['64–128 µs', '< 1 µs']));
  });

  it('skips and counts lines that are not rows of its maps', async () => {
    const strange = '@since[12]: 5\n@a[\n\tffffffff82265ec8 f+1\n, \n\t55 g+1 (/w)\n, x, 1, w]: 4\n';
    const profile = await read(`${header('cpu', 'samples')}${strange}${row('a', '1, 1, w', 1)}`);
    expect(sum(profile)).toBe(1);
    expect(profile.diagnostics).toMatchObject([{ code: 'skipped-line', count: 2 }]);
  });

  it.each([
    'map=a total=t type=cpu unit=samples stacks=user',
    'map=a type=cpu',
    'nonsense',
    'map=a total=t type=cpu unit=samples stacks=user keys=__proto__,comm',
  ])('does not mistake %j for a header', async (text) => {
    const profile = await read(`# flamebench ${text}\n@x[\n    f\n]: 1\n`);
    expect(profile.valueTypes.map(({ type }) => type)).toEqual(['@x']);
  });
});
