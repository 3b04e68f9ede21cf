import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../../support/corpus.ts';
import { corpus, needing } from '../../../support/needing.ts';
import { namesRootFirst } from '../../../support/profile-rollup.ts';

checkImport({ path: 'v8-prof-log/everything-v8.log', format: 'v8-prof-log', isText: true });
checkImport({ path: 'v8-prof-log/before-v8-6-v8.log', format: 'v8-prof-log', isText: true });
checkImport({ path: 'v8-prof-json/everything.v8log.json', format: 'v8-prof-json', isText: true });

const read = (text: string, format = 'v8-prof-log'): Promise<Profile> => importProfile(byteSource(text), { format });
const stacks = (profile: Profile): string[] =>
  [...profile.samples.stack].map((stack) => namesRootFirst(profile, stack).join(';'));
const VERSION = 'v8-version,11,3,244,8,-node.38,0\n';

describe('a log of V8', () => {
  it('is refused without a tick, with the last line and the remedy', async () => {
    await expect(read(`${VERSION}profiler,begin,1000\n`)).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining('node --prof'),
      location: { line: 2 },
    });
  });

  it('states V8’s version, the machine, and the number of ticks', async () => {
    const { metadata } = await read(`${VERSION}v8-platform,linux,linux\nprofiler,begin,500\ntick,0x1,7,0,0x0,0\n`);
    expect(metadata).toMatchObject({ toolVersion: '11.3.244.8-node.38', kernel: 'linux', rateHz: 2000 });
  });

  it('leaves out a tick cut off at the end of the log', async () => {
    const profile = await read(`${VERSION}tick,0x1,7,0,0x0,0\ntick,0x1,9,0,0x0,0,0x12`);
    expect(profile.samples.length).toBe(1);
    expect(profile.diagnostics).toMatchObject([{ code: 'truncated-input', first: { line: 3 } }, {}]);
  });

  it('counts lines that are not records, and code of an impossible size', async () => {
    const huge = `code-creation,JS,10,1,0x1000,${2 ** 40},f a.js:1:1,0x1,~\n`;
    const profile = await read(
      `${VERSION}tick,0x1,7,0,0x0,0\n\u0000\u0001\ntick,x\n${huge}code-move,1\ncode-delete,-\n`,
    );
    expect(profile.diagnostics).toMatchObject([{ code: 'skipped-line', count: 5, first: { line: 3 } }, {}]);
  });

  it('accepts names that look like anything', async () => {
    const names = ['__proto__ a.js:1:1', '<img src=x> /a b.js:2:1', 'a\\x2Cb file:///c.js:3:1', 'constructor'];
    const code = names.map((name, row) => `code-creation,JS,10,1,0x${row + 1}000,16,${name},0x1,~\n`).join('');
    const ticks = names.map((_, row) => `tick,0x${row + 1}004,${row},0,0x0,0\n`).join('');
    const profile = await read(VERSION + code + ticks);
    expect(stacks(profile)).toEqual(['__proto__', '<img src=x>', 'a,b', 'constructor']);
    const files = [...profile.functions.file].map((file) => profile.strings[file]);
    expect(files).toEqual(['a.js', '/a b.js', 'file:///c.js', '']);
  });

  it('removes code that other code overlaps', async () => {
    const create = (start: number, size: number, name: string): string =>
      `code-creation,JS,10,1,0x${start.toString(16)},${size},${name} a.js:1:1,0x1,~\n`;
    const border = 2 ** 20;
    const first = create(border - 0x100, 0x200, 'first');
    const ticks = `tick,0x${(border - 1).toString(16)},1,0,0x0,0\ntick,0x${(border + 1).toString(16)},2,0,0x0,0\n`;
    const profile = await read(VERSION + first + ticks + create(border, 0x10, 'second') + ticks);
    expect(stacks(profile)).toEqual(['first', 'first', '[unknown]', 'second']);
  });
});

describe('a preprocessed log of V8', () => {
  it.each([
    ['{"code":[],"ticks":[]}', /without a tick/],
    ['{"code":[],"ticks":[{"s":[0,1]}]}', /ticks\[0\]\.s\[0\] names code 0/],
    ['{"code":[],"ticks":[{"s":[-2,1]}]}', /names code -2/],
    ['{"code":[],"ticks":[{"s":[-1]}]}', /a position without an offset/],
    ['{"code":{},"ticks":[]}', /code is not an array/],
  ])('refuses %s', async (text, message) => {
    await expect(read(text, 'v8-prof-json')).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringMatching(message),
    });
  });
});

needing(corpus, () => {
  describe('V8 log corpus', () => {
    const row = (name: string): CorpusRow => corpusRows('v8-prof-log').find(({ path }) => path.endsWith(name))!;
    const importRow = (name: string): Promise<Profile> => importProfile(byteSource(readCorpus(row(name).path), name));

    it('node20-busy: has the times of every stack of speedscope, which reads node’s preprocessed log', async () => {
      const profile = await importRow('node20-busy-v8.log');
      const oracle = JSON.parse(readExpected(row('node20-busy-v8.log'), 'speedscope.json')!) as Oracle;
      const weights = sampleWeights(profile, 1 as ValueTypeIndex);
      const ours = new Map<string, number>();
      const theirs = new Map<string, number>();
      stacks(profile).forEach((stack, sample) => addTo(ours, seenByNode(stack), weights[sample]!));
      for (const [stack, time] of Object.entries(oracle.profiles[0]!.folded)) addTo(theirs, asNamed(stack), time);
      for (const sums of [ours, theirs]) sums.delete('');
      expect(ours).toEqual(theirs);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(oracle.profiles[0]!.totalWeight);
    });

    it('node20-busy: ticks by function equal node --prof-process', async () => {
      const profile = await importRow('node20-busy-v8.log');
      const text = readExpected(row('node20-busy-v8.log'), 'prof-process.txt')!;
      expect(selfOf(profile)).toEqual(ticksOf(text));
    });

    it('the classic log: ticks by function equal the golden of V8’s own test', async () => {
      const profile = await importRow('tickprocessor-test.log');
      expect(profile.samples.length).toBe(13);
      expect(profile.valueTypes).toHaveLength(1);
      const golden = ticksOf(readExpected(row('tickprocessor-test.log'), 'golden.separate-ic.txt')!);
      // The golden counts a tick in unknown code for its caller as well.
      golden.delete('exp');
      expect(selfOf(profile)).toEqual(golden);
    });
  });
});

interface Oracle {
  readonly profiles: readonly { readonly totalWeight: number; readonly folded: Readonly<Record<string, number>> }[];
}

const addTo = (sums: Map<string, number>, key: string, weight: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + weight);

/**
 * Replaces the function in binaries. Node looks up symbols with nm and the log has none, so only the binary is
 * compared.
 */
const BINARY = '[binary]';
/** Node misses the second and third mapping of its own binary, so code there is unknown to it, including builtins. */
const isUnknownToNode = (name: string): boolean =>
  /^(?:\[unknown\]|\[node\]|Builtin: .*|BytecodeHandler: .*)$/.test(name);

function seenByNode(stack: string): string {
  const names = stack.split(';').filter((name) => !isUnknownToNode(name));
  return names.map((name) => (/^\[lib.*\]$/.test(name) ? BINARY : name)).join(';');
}

/** Renames a stack of speedscope, whose name patterns do not handle schemes, blanks and non-ASCII letters. */
function asNamed(stack: string): string {
  return stack
    .split(';')
    .map((name) => {
      if (name === '(anonymous)') return '日本語';
      if (name === 'e') return 'get größe';
      if (/^\(anonymous .*\)$/.test(name)) return '(anonymous)';
      if (/^\(LIB\)|@|::/.test(name)) return BINARY;
      return name
        .replace(/^\(regexp\) /, 'RegExp: ')
        .replace(/^(.*) (?:node:)\S+:\d+:\d+$/, (_, func: string) => func || '(anonymous)');
    })
    .join(';');
}

/** Returns ticks by leaf, with the names of {@link ticksOf}. */
function selfOf(profile: Profile): Map<string, number> {
  const self = new Map<string, number>();
  for (const stack of stacks(profile)) {
    const leaf = stack.split(';').at(-1)!;
    addTo(self, isUnknownToNode(leaf) ? '[unknown]' : /^\[.*\]$/.test(leaf) ? BINARY : leaf, 1);
  }
  return self;
}

/** Reads self ticks from the text of V8's tools: scripts by name, binaries and unknown code as a whole. */
function ticksOf(text: string): Map<string, number> {
  const ticks = new Map<string, number>();
  let section = '';
  for (const line of text.split('\n')) {
    section = /^ \[(.*)\]:$/.exec(line)?.[1] ?? section;
    const [, count, name = ''] = /^ +(\d+) +[\d.]+%(?: +[\d.]+%)? *(.*)$/.exec(line) ?? [];
    if (count === undefined) continue;
    if (section === 'JavaScript') addTo(ticks, nameOf(name), Number(count));
    if (section === 'Shared libraries' || section === 'C++') addTo(ticks, BINARY, Number(count));
    if (section === 'Unknown' || (section === 'Summary' && name === 'Unaccounted'))
      addTo(ticks, '[unknown]', Number(count));
  }
  return ticks;
}

/** Returns `fib` for `JS: *fib /srv/busy.js:2:13`; other kinds keep their text. */
function nameOf(text: string): string {
  const [, name] = /^(?:JS|LazyCompile): [*~^+]?(.*?) (?:\/|native |)\S*:\d+(?::\d+)?$/.exec(text) ?? [];
  return name === undefined ? text : name === '<anonymous>' ? '(anonymous)' : name;
}
