import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { differences, foldedLines, foldedText } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';
import { namesRootFirst } from '../../support/profile-rollup.ts';

checkImport({ path: 'dtrace/stacks.txt', format: 'dtrace', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text), { format: 'dtrace' });
const stacksOf = (profile: Profile): string[] =>
  Array.from(profile.samples.stack, (stack) => namesRootFirst(profile, stack).join(';'));

describe('DTrace stacks', () => {
  it('may contain the kernel’s and the user’s stack, separated by a blank line', async () => {
    const profile = await read('\n  genunix`open+0x25\n\n  libc.so.1`__open+0x1\n  app`main+0x2\n  3\n');
    expect(stacksOf(profile)).toEqual(['main;__open;open']);
    expect([...profile.functions.kind]).toEqual([FunctionKind.kernel, FunctionKind.user, FunctionKind.unknown]);
  });

  it('belong to the thread named on the line above', async () => {
    const profile = await read('\n  nginx   17  \n    libc.so.1`write\n    4\n    a`b\n    5\n');
    expect(Array.from(profile.threads.name, (name) => profile.strings[name])).toEqual(['nginx 17', '']);
    expect(profile.diagnostics).toEqual([]);
  });

  it('belong to the thread named on the line of the count', async () => {
    const profile = await read('\n    libc.so.1`write\n  nginx   17    4\n\n  1234\n    a`b\n    5\n');
    expect(Array.from(profile.threads.name, (name) => profile.strings[name])).toEqual(['nginx 17', '1234']);
    expect([...profile.samples.weights[0]!]).toEqual([4, 5]);
    expect(profile.diagnostics).toEqual([]);
  });

  it('are split where a JVM inlined; C++ operators and arguments are not', async () => {
    const profile = await read('\n  a`X::operator->+0x1\n  a`f(decltype(x->y))\n  a`o->i->j\n  1\n');
    expect(stacksOf(profile)).toEqual(['o;i;j;f(decltype(x->y));X::operator->']);
    expect(foldedText(profile)).toBe('o;i_[i];j_[i];f(decltype(x->y));X::operator-> 1\n');
  });

  it('keep address and module without a symbol', async () => {
    const profile = await read('\n  unix`0xfffffffffb8001d6\n  0x10\n  1\n');
    expect(stacksOf(profile)).toEqual(['[unknown];[unix]']);
    expect([...profile.frames.address!]).toEqual([0xfffffffffb8001d6n, 0x10n]);
    expect(profile.diagnostics).toMatchObject([{ code: 'unresolved-frames', count: 1, severity: 'warning' }]);
  });

  it('leave out aggregations without stacks and histograms, and say so', async () => {
    const text =
      '\n  bash   12\n  zsh   13\n\n  a`b\n  1\n\n  value  ------------- Distribution ------------- count\n      -1 |   0\n       0 |@@@@ 4\n';
    const profile = await read(text);
    expect([...profile.samples.weights[0]!]).toEqual([1]);
    expect(profile.diagnostics).toMatchObject([{ code: 'skipped-line', count: 5, first: { line: 2 } }]);
  });

  it('include DTrace’s messages', async () => {
    const profile = await read(
      'dtrace: 12 aggregation drops on CPU 3\ndtrace: error on enabled probe ID 1\n  a`b\n  1\n',
    );
    expect(profile.diagnostics).toMatchObject([{ code: 'lost-samples', count: 12 }, { code: 'dtrace-error' }]);
    expect(profile.metadata.comments).toHaveLength(2);
  });

  it('report that counts beyond 2^53 are rounded, and refuse those beyond any number', async () => {
    expect((await read('  a`b\n  9007199254740993\n')).diagnostics).toMatchObject([{ code: 'inexact-weight' }]);
    await expect(read(`  a\`b\n  ${'9'.repeat(400)}\n`)).rejects.toMatchObject({ location: { line: 2 } });
  });

  it('take no extra time for lines of a megabyte that nearly match', async () => {
    const long = [
      ' '.repeat(1e6) + 'x',
      `1 1 ${':'.repeat(1e6)} x`,
      ` 1 |${'@ '.repeat(5e5)}x`,
      ` ${'+0x1'.repeat(2.5e5)} x`,
    ];
    const profile = await read(`${long.join('\n')}\n  a\`b\n  1\n`);
    expect([...profile.samples.weights[0]!]).toEqual([1]);
  });

  it('are recognised by the heading alone, and refused without a stack', async () => {
    const text = 'CPU     ID                    FUNCTION:NAME\n  8  35077     :tick-60s\n  a`b\n';
    await expect(importProfile(byteSource(text))).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining('no stack is followed by its count'),
      location: { line: 3 },
    });
  });
});

needing(corpus, () => {
  const rows = corpusRows('dtrace').filter(({ path }) => !path.endsWith('/only-header-lines.txt'));
  describe('DTrace corpus', () => {
    it.each(rows)('$path: has every stack of stackcollapse.pl and of inferno', async (row) => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      for (const kind of ['stackcollapse.pl.folded', 'inferno.folded']) {
        expect(differences(toolLines(profile), unresolvedAsOurs(readExpected(row, kind)!))).toEqual([]);
      }
    });
  });
});

/** Writes our stacks as the tools do: the module before the name, and no arguments. */
function toolLines(profile: Profile): Map<string, number> {
  const { functions, frames, strings } = profile;
  const names = Array.from(frames.func, (func, frame) => {
    const module = strings[functions.module[func]!]!;
    const name = strings[functions.name[func]!]!;
    const cut = /::.*?\(/.test(name) ? name.replace(/\(.*$/, '') : name;
    if (functions.kind[func] === FunctionKind.unresolved) return name;
    return `${module === '' ? '' : `${module}\``}${cut}${frames.inline[frame] === 1 ? '_[i]' : ''}`;
  });
  const lines = new Map<string, number>();
  profile.samples.stack.forEach((leaf, row) => {
    const path: string[] = [];
    for (let stack = leaf; stack >= 0; stack = profile.stacks.parent[stack]!)
      path.unshift(names[profile.stacks.frame[stack]!]!);
    const key = path.join(';');
    lines.set(key, (lines.get(key) ?? 0) + profile.samples.weights[0]![row]!);
  });
  return lines;
}

/** Renames unresolved frames of the tools, which use addresses, to our names. */
function unresolvedAsOurs(text: string): Map<string, number> {
  const renamed = text.replaceAll(/(?<=^|;)(?:([^;`\n]+)`)?0x[0-9a-f]+(?=;| \d+$)/gm, (_, module?: string) =>
    module === undefined ? '[unknown]' : `[${module}]`,
  );
  return foldedLines(renamed);
}
