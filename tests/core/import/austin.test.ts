import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';

checkImport({ path: 'austin/full.austin', format: 'austin', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text));
const typesOf = ({ valueTypes }: Profile): string[] => valueTypes.map(({ type, unit }) => `${type}/${unit}`);

describe('Austin', () => {
  it.each([
    ['wall', 'wall/microseconds'],
    ['cpu', 'cpu/microseconds'],
    ['memory', 'memory/bytes'],
  ])('weighs mode %s as %s', async (mode, type) => {
    const profile = await read(`# austin: 3.6.0\n# mode: ${mode}\n\nP1;T2;a.py:f:3 7\nP1;T2;a.py:f:3;b.py:g:4 5\n`);
    expect(typesOf(profile)).toEqual([type]);
    expect([...profile.samples.weights[0]!]).toEqual([7, 5]);
    expect([profile.threads.pid[0], profile.threads.tid[0]]).toEqual([1, 2]);
  });

  it('has three value types in full mode; idle time is wall time only', async () => {
    const profile = await read('# austin: 3.6.0\n# mode: full\n\nP1;T2;a.py:f:3 7,0,64\nP1;T2;a.py:g:3 5,1,-32\n');
    expect(typesOf(profile)).toEqual(['wall/microseconds', 'cpu/microseconds', 'memory/bytes']);
    expect(profile.samples.weights.map((column) => [...column])).toEqual([
      [7, 5],
      [7, 0],
      [64, -32],
    ]);
  });

  /** Sums the metrics of each line from the text, as the tool wrote them. */
  it.each([
    ['austin-3.7-full', ['wall/microseconds', 'cpu/microseconds', 'memory/bytes']],
    ['austin-3.7-memory', ['memory/bytes']],
  ])('reads all of %s, which Austin 3.7 wrote', async (name, types) => {
    const text = readFileSync(new URL(`../../fixtures/import/austin/${name}.austin`, import.meta.url), 'utf8');
    const metrics = text.split('\n').flatMap((line) => {
      if (!line.startsWith('P')) return [];
      const [time = 0, idle = 0, memory = 0] = line
        .slice(line.lastIndexOf(' ') + 1)
        .split(',')
        .map(Number);
      return [types.length === 1 ? [time] : [time, idle === 0 ? time : 0, memory]];
    });
    const profile = await read(text);
    expect(typesOf(profile)).toEqual(types);
    expect(profile.samples.length).toBe(metrics.length);
    const sums = types.map((_, column) => metrics.reduce((sum, row) => sum + row[column]!, 0));
    expect(types.map((_, column) => profile.samples.weights[column]!.reduce((sum, weight) => sum + weight, 0))).toEqual(
      sums,
    );
    expect(profile.metadata).toMatchObject({ toolVersion: '3.7.0', rateHz: 50 });
    expect(profile.metadata.durationNs).toBe(1000 * Number(/^# duration: (\d+)$/m.exec(text)?.[1]));
    expect(profile.diagnostics.filter(({ severity }) => severity === 'warning').map(({ code }) => code)).toEqual([]);
  });

  it('is wall time if the header names no mode', async () => {
    expect(typesOf(await read('# austin: 2.1.1\n\nP1;T2;a.py:f:3 7\n'))).toEqual(['wall/microseconds']);
  });

  it('counts lines with other numbers than the mode has', async () => {
    const profile = await read('# austin: 3.6.0\n# mode: full\n\nP1;T2;a.py:f:3 7,0,64\nP1;T2;a.py:f:3 7\noops\n');
    expect(profile.diagnostics).toMatchObject([{ code: 'skipped-line', count: 2, first: { line: 5 } }]);
  });

  it.each([
    ['# austin: 3.6.0\n# mode: other\n\nP1;T2;a.py:f:3 7\n', 'unsupported'],
    ['# austin: 3.6.0\n# mode: wall\n\n', 'malformed'],
    ['# austin: 3.6.0\n# mode: wall\n\na.py:f:3 7\n# mode: memory\na.py:f:3 7\n', 'malformed'],
  ])('refuses %j', async (text, failure) => {
    await expect(read(text)).rejects.toMatchObject({ failure });
  });
});
