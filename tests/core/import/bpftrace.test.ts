import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { differences, foldedLines, foldedText } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';

checkImport({ path: 'bpftrace/maps.txt', format: 'bpftrace', isText: true });
checkImport({ path: 'bpftrace/maps.json', format: 'bpftrace', isText: true });
checkImport({ path: 'bpftrace/offcputime.txt', format: 'bpftrace', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text), { format: 'bpftrace' });

describe('bpftrace and bcc stacks', () => {
  it('are the same as JSON (-f json) and as text', async () => {
    const text = '@[\n    f+1\n    g+2\n, \n    main+3\n, a b, 12]: 7\n@[, , idle]: 3\n@sum[\n    f+1\n]: 9\n';
    const json = `{"type": "map", "data": {"@": {"\\n    f+1\\n    g+2\\n,\\n    main+3\\n,a b,12": 7, ",,idle": 3}}}
{"type": "map", "data": {"@sum": {"\\n    f+1\\n": 9}}}
`;
    const fromJson = await read(json);
    expect(foldedText(fromJson)).toBe('a_b;main;g;f 7\nidle 3\n');
    expect({ ...fromJson, metadata: null }).toEqual({ ...(await read(text)), metadata: null });
    expect((await importProfile(byteSource(json))).metadata.format).toBe('bpftrace');
  });

  it('count what JSON has beside maps of stacks, and incomplete lines', async () => {
    const lines = [
      '{"type": "attached_probes", "data": {"probes": 2}}',
      '{"type": "printf", "data": "tick\\n"}',
      '{"type": "map", "data": {"@c": {"bash": 5}}}',
      '{"type": "hist", "data": {"@h": [{"min": 0, "max": 1, "count": 3}]}}',
      '{"type": "map", "data": {"@": {"\\n    f\\n": 2, "\\n    g\\n": {"count": 3}, "__proto__": 4}}}',
      '{"type": "map", "data": {"@": {"\\n    f\\n": 2',
    ];
    const profile = await read(lines.join('\n'));
    expect(foldedText(profile)).toBe('f 2\n');
    expect(profile.diagnostics.map(({ code, count }) => [code, count])).toEqual([
      ['skipped-line', 5],
      ['truncated-input', 1],
    ]);
  });

  it('have a value type per map', async () => {
    const profile = await read('@a[\n    f\n]: 1\n@b[\n    f\n]: 2\n');
    expect(profile.valueTypes.map(({ type }) => type)).toEqual(['@a', '@b']);
    expect([...profile.samples.event!]).toEqual([0, 1]);
  });

  it('leave out values that are not counts, and stacks without one', async () => {
    const profile = await read('@[\n    f\n]: 1\n@[\n    f\n]: min 3, max 4\n@[\n    g\n');
    expect(profile.samples.length).toBe(1);
    expect(profile.diagnostics).toMatchObject([
      { code: 'skipped-line', first: { line: 6 } },
      { code: 'truncated-input', first: { line: 7 } },
    ]);
  });

  it('count blocks with a process and no frame as samples without a stack', async () => {
    const stackless = '\n    -                swapper/0 (7)\n        5\n';
    const profile = await read(
      `Sampling at 49 Hertz\n\n    f\n    -                work (8)\n        2\n${stackless}${stackless}`,
    );
    const { samples, threads, strings, diagnostics } = profile;
    expect([...samples.weights[0]!]).toEqual([2, 5, 5]);
    expect([...samples.stack]).toEqual([0, -1, -1]);
    expect(Array.from(samples.thread, (row) => strings[threads.name[row]!])).toEqual([
      'work',
      'swapper/0',
      'swapper/0',
    ]);
    expect(diagnostics).toMatchObject([
      { code: 'stackless-block', count: 2, first: { line: 8 } },
      { code: 'samples-without-stack', count: 2 },
    ]);
  });

  it('have names without the bytes literals of Python 3', async () => {
    const text = `Sampling at 49 Hertz

    b'[unknown]'
    ffffffff8100 b'do_sys_open+0x24'
    b"it's"
    b'caf\\xc3\\xa9' [libc.so]
    -                b'my app' (8)
        2
`;
    const { functions, strings, threads } = await read(text);
    const names = [...functions.name].map((row) => strings[row]);
    expect(names).toEqual(['[unknown]', 'do_sys_open', "it's", 'café']);
    expect(strings[threads.name[0]!]).toBe('my app');
    const folded = await importProfile(byteSource("b'my app';b'read_[k]' 3\n", 'a.folded'));
    expect([...folded.functions.name].map((row) => folded.strings[row])).toEqual(['my app', 'read_[k]']);
  });

  it('say that a map is full, because it dropped stacks', async () => {
    const rows = (count: number): string =>
      Array.from({ length: count }, (_, row) => `@[\n    f${row}\n    main\n]: 1\n`).join('');
    expect((await read(rows(4095))).diagnostics).toEqual([]);
    for (const full of [4096, 32_768]) {
      const { diagnostics } = await read(rows(full));
      expect(diagnostics).toMatchObject([
        { code: 'full-map', severity: 'warning', message: expect.stringContaining(`${full} rows`) as string },
      ]);
    }
  });

  it('skip counts with neither a stack nor a process', async () => {
    const { samples, diagnostics } = await read('    f\n    -    work (8)\n        2\n\n        5\n');
    expect(samples.length).toBe(1);
    expect(diagnostics).toMatchObject([{ code: 'skipped-line', first: { line: 5 } }]);
  });

  it('without counts are refused, with the last line', async () => {
    await expect(read('@[\n    f\n')).rejects.toMatchObject({ failure: 'malformed', location: { line: 2 } });
  });
});

needing(corpus, () => {
  const rows = corpusRows('bpftrace-bcc').filter(({ path }) => !/\.folded\b|folded-with/.test(path));

  describe('bpftrace and bcc corpus', () => {
    it('has all rows', () => expect(rows).toHaveLength(4));

    it.each(rows)('$path: folded text equals the tool’s', async (row) => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const expected = readExpected(row, 'stackcollapse-bpftrace.folded') ?? readExpected(row, 'bcc-f-rule.folded')!;
      expect(differences(foldedLines(foldedText(profile)), renamed(foldedLines(expected)))).toEqual([]);
    });
  });
});

/**
 * Renames functions as FlameGraph prints them: it keeps offsets, so one function has many names, and names unresolved
 * frames by address.
 */
function renamed(lines: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [stack, weight] of lines) {
    const names = stack.split(';').map((name) => name.replace(/\+\d+$/, '').replace(/^0x[0-9a-f]+$/, '[unknown]'));
    sums.set(names.join(';'), (sums.get(names.join(';')) ?? 0) + weight);
  }
  return sums;
}
