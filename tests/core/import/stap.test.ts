import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../support/corpus.ts';
import { differences, foldedLines, foldedText, rollupLines, selfAndTotal } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';

checkImport({ path: 'stap/sample.bt', format: 'stap', isText: true });
checkImport({ path: 'stap/on-cpu.txt', format: 'stap', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text), { format: 'stap' });

describe('SystemTap backtraces', () => {
  it('leave out a stack without a count, and say so', async () => {
    const profile = await read('C:a\n\t3\nC:b\nC:c\n');
    expect([...profile.samples.weights[0]!]).toEqual([3]);
    expect(profile.diagnostics).toMatchObject([{ code: 'truncated-input', first: { line: 3 } }]);
  });

  it('report that a last count without a line end may be incomplete', async () => {
    const profile = await read('C:a\n\t3\nC:b\n\t12');
    expect([...profile.samples.weights[0]!]).toEqual([3, 12]);
    expect(profile.diagnostics).toMatchObject([{ code: 'unfinished-line', first: { line: 4 } }]);
  });

  it('skip counts without a stack', async () => {
    expect((await read('\t5\nC:a\n\t3\n')).diagnostics).toMatchObject([{ code: 'skipped-line', count: 1 }]);
  });

  it('without counts are refused, with the last line', async () => {
    await expect(read('C:a\nC:b\n')).rejects.toMatchObject({ failure: 'malformed', location: { line: 2 } });
  });
});

describe('output of Flamebench’s SystemTap recipes', () => {
  const header = (keys: string): string =>
    `# flamebench stap type=off-cpu unit=microseconds stacks=kernel,user keys=${keys},comm depth=3 module=stap_ab_12\n`;
  const OFF_CPU = header('pid,tid,state');
  const names = (profile: Profile): string[] =>
    Array.from(profile.functions.name, (string) => profile.strings[string]!);

  it('leave out the frames of the probe itself, and the innermost frame that is printed twice', async () => {
    const kernel =
      'kernel\n 0x2 : 0x2 [stap_ab_12+0x1/0x0]\n 0x5 : schedule+0x5/0x9 [kernel]\n 0x5 : schedule+0x5/0x9 [kernel]\n';
    const user = 'user\n 0x7 : nap+0x1/0x9 [/srv/app]\n';
    const profile = await read(`${OFF_CPU}${kernel}${user}row 12 4 5 1 app\n`);
    expect(names(profile)).toEqual(['schedule', 'nap']);
    expect([profile.threads.pid[0], profile.threads.tid[0], [...profile.samples.weights[0]!]]).toEqual([4, 5, [12]]);
    expect(profile.valueTypes[0]).toMatchObject({ type: 'off-cpu', unit: 'microseconds' });
  });

  it('name addresses that were printed with a name before', async () => {
    const named = 'kernel\nuser\n 0x7 : nap+0x1/0x9 [/srv/app]\nrow 1 4 4 1 app\n';
    const last = 'kernel\nuser\n 0x7 : 0x7\n 0x8 : 0x8\nrow 2 4 4 1 app\n';
    const profile = await read(OFF_CPU + named + last);
    expect(names(profile)).toEqual(['nap', '[unknown]']);
  });

  it('state the weight that is missing, stacks that are cut, and the duration', async () => {
    const deep =
      'kernel\nuser\n 0x1 : a+0x1/0x9 [/x]\n 0x2 : b+0x1/0x9 [/x]\n 0x3 : c+0x1/0x9 [/x]\nrow 6 4 4 1 app 1\n';
    const end = '# flamebench total=10 in_kernel=0 cycles=5 nanoseconds=2000\n';
    const profile = await read(OFF_CPU + deep + end);
    expect(profile.diagnostics).toMatchObject([
      { code: 'truncated-stacks', count: 1 },
      { code: 'lost-samples', count: 4 },
    ]);
    expect(profile.metadata.durationNs).toBe(2000);
    expect(profile.strings[profile.threads.name[0]!]).toBe('app 1');
  });

  describe('of Lua', () => {
    const LUA = '# flamebench stap type=cpu unit=samples stacks=kernel,user,lua keys=pid,tid,comm rate=99 depth=64\n';
    const NAMES = 'lua a1 @/srv/hot.lua:6\nlua b2 @/srv/hot.lua:0\nlua c3 C:ngx_http_lua_ngx_say+0x0/0x9\n';
    const C = ' 0x1 : lj_str_new+0x1/0x9 [/lj]\n 0x2 : lj_BC_CAT+0x1/0x9 [/lj]\n 0x3 : main+0x1/0x9 [/nginx]\n';
    const stack = (profile: Profile): string => [...foldedLines(foldedText(profile)).keys()].join('\n');

    it('put Lua’s functions between what the interpreter calls and the interpreter', async () => {
      const profile = await read(`${LUA}${NAMES}kernel\nuser\n${C}lua\n a1 b2\nrow 3 4 4 nginx\n`);
      expect(stack(profile)).toContain('main;lj_BC_CAT;@/srv/hot.lua:0;@/srv/hot.lua:6;lj_str_new');
      expect(profile.diagnostics).toEqual([]);
      const file = Array.from(profile.functions.file, (string) => profile.strings[string]);
      expect(file).toContain('/srv/hot.lua');
    });

    it('name what ran outside of Lua where only Lua was recorded', async () => {
      const only = LUA + NAMES + 'kernel\nuser\nlua\n a1\nrow 3 4 4 nginx\nkernel\nuser\nlua\n\nrow 2 4 4 nginx\n';
      const profile = await read(only);
      expect(stack(profile)).toMatch(/@\/srv\/hot\.lua:6/);
      expect(stack(profile)).toMatch(/\[not in Lua\]/);
      expect([...profile.samples.weights[0]!]).toEqual([3, 2]);
    });

    it('name chunks without a file by their first line, and keep addresses without a name', async () => {
      const names = 'lua a1 return 1\\nreturn 2:1\nlua b2 T:@/srv/x.lua:9\n';
      const profile = await read(`${LUA}${names}kernel\nuser\nlua\n b2 a1 dead\nrow 1 4 4 nginx\n`);
      expect(stack(profile)).toContain('0xdead;[string "return 1"]:1;T:@/srv/x.lua:9');
    });
  });

  it('skip rows that are not whole, and count them', async () => {
    const row = 'kernel\nuser\n 0x1 : a+0x1/0x9 [/x]\n';
    const profile = await read(`${OFF_CPU}${row}row 6 4 4 1 app\n${row}row 6 4\n${row}row x\n`);
    expect([...profile.samples.weights[0]!]).toEqual([6]);
    expect(profile.diagnostics.find(({ code }) => code === 'skipped-line')).toMatchObject({ count: 2 });
  });
});

needing(corpus, () => {
  describe('SystemTap corpus', () => {
    it.each(corpusRows('stap'))('$path: folded text, self and total equal stackcollapse-stap.pl', async (row) => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const ours = renamed(foldedLines(foldedText(profile)), perlName);
      const theirs = renamed(foldedLines(readExpected(row, 'stackcollapse-stap.folded')!), (name) =>
        unresolved(name, row),
      );
      expect(differences(ours, theirs)).toEqual([]);
      const totals = [...rollupLines(readExpected(row, 'selftotal.tsv')!)].map(([, values]) => values);
      const sum = (lines: readonly string[]): number =>
        lines.reduce((all, line) => all + Number(line.split('\t')[0]), 0);
      expect(sum([...selfAndTotal(ours).values()])).toBe(sum(totals));
    });
  });
});

/** Cuts a name like FlameGraph: at the last plus sign, also in paths and Lua code, and at arguments. */
const perlName = (name: string): string => name.replace(/\+[^+]*$/, '');

/** Returns our name for an unresolved frame; FlameGraph uses its address, and its module if there is one. */
function unresolved(name: string, { path }: CorpusRow): string {
  const module = /^0x[0-9a-f]+ \[(.*)$/.exec(name)?.[1];
  if (module !== undefined) return `[${module.slice(module.lastIndexOf('/') + 1)}]`;
  return path.includes('/derived.') && /^0x[0-9a-f]+$/.test(name) ? '[unknown]' : name;
}

function renamed(lines: ReadonlyMap<string, number>, rename: (name: string) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [stack, weight] of lines) {
    const key = stack.split(';').map(rename).join(';');
    sums.set(key, (sums.get(key) ?? 0) + weight);
  }
  return sums;
}
