import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'callgrind/everything.callgrind', format: 'callgrind', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text), { format: 'callgrind' });
const folded = (profile: Profile, type = 0): object => Object.fromEntries(rollUp(profile, type).folded);

/** Writes functions of a graph: `name self`, then `callee inclusive` for each call. */
const graph = (...functions: readonly (readonly [string, number, ...(readonly [string, number])[]])[]): string =>
  `events: Ir\n${functions
    .map(([name, self, ...calls]) => {
      const lines = calls.map(([callee, inclusive]) => `cfn=${callee}\ncalls=1 1\n1 ${inclusive}\n`).join('');
      return `fn=${name}\n1 ${self}\n${lines}`;
    })
    .join('\n')}`;

describe('callgrind', () => {
  it('spends in the same proportions wherever a function is called, in integers', async () => {
    const text = graph(
      ['main', 1, ['a', 5], ['b', 8]],
      ['a', 0, ['c', 5]],
      ['b', 1, ['c', 7]],
      ['c', 3, ['d', 9]],
      ['d', 9],
    );
    expect(folded(await read(text))).toEqual({
      main: 1,
      'main;b': 1,
      'main;a;c': expect.toSatisfy((cost) => cost === 1 || cost === 2) as number,
      'main;b;c': expect.toSatisfy((cost) => cost === 1 || cost === 2) as number,
      'main;a;c;d': expect.toSatisfy((cost) => cost === 3 || cost === 4) as number,
      'main;b;c;d': expect.toSatisfy((cost) => cost === 5 || cost === 6) as number,
    });
    const { self, total } = rollUp(await read(text), 0);
    expect(Object.fromEntries(self)).toEqual({ main: 1, b: 1, c: 3, d: 9 });
    expect(Object.fromEntries(total)).toEqual({ main: 14, a: 5, b: 8, c: 12, d: 9 });
  });

  it('counts recursion once', async () => {
    const text = graph(['main', 0, ['f', 10]], ['f', 6, ['f', 25], ['g', 4]], ['g', 4]);
    expect(folded(await read(text))).toEqual({ 'main;f': 6, 'main;f;g': 4 });
  });

  it('lets functions of a cycle spend as one, each once per stack', async () => {
    const text = graph(
      ['main', 0, ['even', 30], ['odd', 10]],
      ['even', 10, ['odd', 90], ['leaf', 10]],
      ['odd', 20, ['even', 80]],
      ['leaf', 10],
    );
    const profile = await read(text);
    expect(profile.diagnostics).toMatchObject([{ code: 'call-circles', count: 2, severity: 'info' }]);
    const { folded: stacks, total } = rollUp(profile, 0);
    expect([...stacks.keys()].sort()).toEqual([
      'main;even',
      'main;even;leaf',
      'main;even;odd',
      'main;odd',
      'main;odd;even',
      'main;odd;even;leaf',
    ]);
    expect(Object.fromEntries(total)).toMatchObject({ main: 40, leaf: 10 });
  });

  it('sums self costs whatever calls claim, and counts the claim', async () => {
    const text = graph(['main', 1, ['f', 9], ['g', 2]], ['f', 4], ['g', 5]);
    const profile = await read(text);
    expect(folded(profile)).toEqual({ main: 1, 'main;f': 4, 'main;g': 2, g: 3 });
    expect(profile.diagnostics).toMatchObject([
      { code: 'calls-claim-more', severity: 'warning', message: expect.stringContaining('claim 5 of Ir') as string },
    ]);
  });

  it('reduces claims in proportion along a chain of calls', async () => {
    const text = graph(['main', 1, ['f', 900], ['g', 100]], ['f', 0, ['h', 600]], ['g', 0, ['h', 200]], ['h', 8]);
    expect(folded(await read(text))).toEqual({ main: 1, 'main;f;h': 6, 'main;g;h': 2 });
  });

  it('adds up several runs in one file, each with its own totals', async () => {
    const run = (cost: number): string => `part: 1\nevents: Ir\nfn=f\n1 ${cost}\ntotals: ${cost}\n`;
    const profile = await read(run(3) + run(4));
    expect(folded(profile)).toEqual({ f: 7 });
    expect(profile.diagnostics).toEqual([]);
  });

  it('reads units of events', async () => {
    const events = 'Ir Time_(10ns) cpu(ms) Memory_(bytes) odd(things)';
    const profile = await read(`events: ${events}\nfn=f\n1 1 2 3 4 5\n`);
    expect(profile.valueTypes.map(({ type, unit }, column) => [type, unit, rollUp(profile, column).sum])).toEqual([
      ['Ir', 'count', 1],
      ['Time', 'nanoseconds', 20],
      ['cpu', 'milliseconds', 3],
      ['Memory', 'bytes', 4],
      ['odd(things)', 'count', 5],
    ]);
  });

  it('reads a chain of 20,000 calls', async () => {
    const depth = 20_000;
    const chain = Array.from({ length: depth }, (_, at): [string, number, ...[string, number][]] => [
      `f${at}`,
      1,
      ...(at + 1 < depth ? [[`f${at + 1}`, depth - at - 1] satisfies [string, number]] : []),
    ]);
    expect((await read(graph(...chain))).stacks.length).toBe(depth);
  });

  it.each([
    ['meaningless lines', 'events: Ir\nfn=f\n1 1\noops\n', { code: 'skipped-line', first: { line: 4 } }],
    ['more costs than events', 'events: Ir\nfn=f\n1 1\n2 3 4\n', { code: 'skipped-line', first: { line: 4 } }],
    ['costs without a function', 'events: Ir\n1 2\nfn=f\n1 1\n', { code: 'skipped-line', first: { line: 2 } }],
    ['a call without costs', 'events: Ir\nfn=f\n1 1\ncfn=g\ncalls=1 1\n', { code: 'skipped-line', first: { line: 5 } }],
    ['jumps', 'events: Ir\nfn=f\n1 1\njump=3 2\n1\n', { code: 'jumps', severity: 'info' }],
    ['differing totals', 'events: Ir\nsummary: 9\nfn=f\n1 1\n', { code: 'totals-differ' }],
    ['numbers beyond 2^53', 'events: Ir\nfn=f\n1 9007199254740993\n', { code: 'inexact-weight', first: { line: 3 } }],
  ])('counts %s', async (_, text, diagnostic) => {
    const profile = await read(text);
    expect(profile.diagnostics).toMatchObject([diagnostic]);
  });

  it('accepts JavaScript’s own names, numbers and empty names', async () => {
    const text = 'events: Ir\nfl=(1) __proto__\nfn=(1) constructor\n1 1\nfn=(__proto__)\n1 2\nfn=(9)\n1 4\nfn=\n1 8\n';
    expect(folded(await read(text))).toEqual({ constructor: 1, '(__proto__)': 2, '(9)': 4, '': 8 });
  });

  it.each([
    ['no events', 'version: 1\ncreator: x\n', 'malformed', { line: 2 }],
    ['functions before the events', 'version: 1\nfn=f\n', 'malformed', { line: 2 }],
    ['events without names', 'events:\nfn=f\n', 'malformed', { line: 1 }],
    ['far too many events', `events: ${'e '.repeat(65)}`, 'unsupported', { line: 1 }],
    ['no costs', 'events: Ir\n', 'malformed', { line: 1 }],
    ['another version', 'version: 2\nevents: Ir\n', 'unsupported', { line: 1 }],
    ['parts with other events', 'events: Ir\nfn=f\n1 1\nevents: Dr\n', 'unsupported', { line: 4 }],
  ])('refuses %s', async (_, text, failure, location) => {
    await expect(read(text)).rejects.toMatchObject({ failure, location });
  });
});

interface Annotated {
  /** `file:function`. callgrind_annotate distinguishes the files that were inlined into a function. */
  readonly key: string;
  readonly name: string;
  readonly costs: readonly number[];
}

function annotated(row: CorpusRow, kind: 'self' | 'inclusive'): Annotated[] {
  const text = readExpected(row, `callgrind_annotate.${kind}.txt`)!;
  const rows = text.slice(text.indexOf('file:function')).split('\n').slice(2);
  return rows.slice(0, rows.indexOf('')).map((line) => {
    const [, cells = '', key = ''] = /^((?: *(?:\.|-?[\d,]+(?: \( *[\d.-]+%\))?))+)  (.*)$/.exec(line) ?? [];
    const numbers = cells
      .replaceAll(/\([^)]*\)/g, '')
      .trim()
      .split(/ +/);
    const place = key.replace(/ \[[^\]]*\]$/, '');
    return {
      key: place,
      name: place.replace(/^.*?:(?!:)/, ''),
      costs: numbers.map((number) => (number === '.' ? 0 : Number(number.replaceAll(',', '')))),
    };
  });
}

/** Returns self and total of functions by callgrind_annotate's names, in the file's own numbers. */
function byAnnotatedName(profile: Profile): { self: Map<string, number[]>; total: Map<string, number[]> } {
  const { strings, functions } = profile;
  const names = Array.from({ length: functions.length }, (_, func) => {
    return `${strings[functions.file[func]!]! || '???'}:${strings[functions.name[func]!]!}`;
  });
  const named = { ...profile, strings: names, functions: { ...functions, name: Int32Array.from(names.keys()) } };
  const sums = { self: new Map<string, number[]>(), total: new Map<string, number[]>() };
  profile.valueTypes.forEach(({ type }, column) => {
    const rollup = rollUp(named, column);
    for (const kind of ['self', 'total'] as const) {
      for (const [name, weight] of rollup[kind]) {
        const costs = sums[kind].get(name) ?? profile.valueTypes.map(() => 0);
        costs[column] = type === 'Time' ? weight / 10 : weight;
        sums[kind].set(name, costs);
      }
    }
  });
  return sums;
}

function sumByName(
  rows: readonly { readonly name: string; readonly costs: readonly number[] }[],
): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  for (const { name, costs } of rows) {
    sums.set(
      name,
      costs.map((cost, column) => cost + (sums.get(name)?.[column] ?? 0)),
    );
  }
  return sums;
}

/** callgrind_annotate mistakes costs relative to the previous line for absolute costs. */
const RELATIVE_COSTS = 'callgrind/callgrind.subposition-compression.log';
/** Its calls cost more than the called functions; speedscope adds the rest to the functions' own costs. */
const CLAIMS_MORE = 'callgrind/callgrind.cfn-reset.log';
/**
 * A function called within itself or within another one that it called. callgrind_annotate adds up these calls as well.
 */
const RECURSIVE = /'2$/;

needing(corpus, () => {
  const rows = corpusRows('callgrind');
  it('has all rows', () => expect(rows).toHaveLength(6));

  describe.each(rows.filter(({ path }) => path !== RELATIVE_COSTS))('callgrind corpus: $path', (row) => {
    it('has the own costs of callgrind_annotate for every function in every event', async () => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const ours = [...byAnnotatedName(profile).self].filter(([, costs]) => costs.some((cost) => cost > 0));
      const named = ours.map(([key, costs]) => ({ name: key.replace(/^.*?:(?!:)/, ''), costs }));
      const own = sumByName(named);
      const theirs = annotated(row, 'self').filter(({ costs }) => costs.some((cost) => cost > 0));
      expect(own).toEqual(sumByName(theirs));
    });

    it('has the inclusive costs of callgrind_annotate, with recursion counted once', async () => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const { total } = byAnnotatedName(profile);
      const theirs = annotated(row, 'inclusive').filter(({ key }) => !RECURSIVE.test(key) && total.has(key));
      expect(theirs.length).toBeGreaterThan(2);
      // Costs that calls claim beyond the self costs are only in their inclusive costs. In Valgrind's own files they
      // are close to zero.
      const claims = profile.diagnostics.find(({ code }) => code === 'calls-claim-more');
      const slack = claims === undefined ? 0 : claims.severity === 'info' ? 1e-5 : 0.5;
      for (const { key, costs } of theirs) {
        total.get(key)!.forEach((cost, column) => {
          expect(cost, key).toBeLessThanOrEqual(costs[column]!);
          expect(costs[column]! - cost, key).toBeLessThanOrEqual(2 + slack * costs[column]!);
        });
      }
    });
  });

  const logs = rows.filter(({ path }) => path.endsWith('.log') && path !== CLAIMS_MORE);
  it.each(logs)('$path: has speedscope’s stacks', async (row) => {
    const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
    const oracle = JSON.parse(readExpected(row, 'speedscope.json')!) as { profiles: { folded: object }[] };
    oracle.profiles.forEach(({ folded: expected }, type) => {
      expect(folded(profile, type)).toEqual(expected);
    });
  });
});
