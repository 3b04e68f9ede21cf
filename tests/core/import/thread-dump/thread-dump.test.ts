import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { describeProfile } from '../../../support/describe-profile.ts';

// jstack of OpenJDK 17, gdb 13.1, eu-stack 0.188 with sources and modules, py-spy 0.4 with variables.
for (const name of ['jstack-twice.txt', 'gdb.txt', 'eu-stack.txt', 'py-spy.txt']) {
  checkImport({ path: `thread-dump/${name}`, format: 'thread-dump', isText: true });
}

const read = (text: string) => importProfile(byteSource(text));

it('reads threads whose id comes again as the next dump, without times', async () => {
  const dump = 'Thread 1 (LWP 7):\n#0  0x0000000000000010 in leaf () from /lib/a.so\n';
  const profile = await read(dump + dump);
  expect(profile.samples.length).toBe(2);
  expect(profile.samples.time).toBeNull();
  expect(describeProfile(profile)).toContain('dump');
});

it('joins frames that gdb broke in two, and takes names with parentheses whole', async () => {
  const profile = await read(
    'Thread 1 (Thread 0x7f01 (LWP 7)):\n#0  0x10 in std::function<int (int)>::operator() (this=0x0,\n    __args#0=7) at /usr/include/function.h:591\n#1  0x20 in (anonymous namespace)::f(int) () from /lib/a.so\n#2  <signal handler called>\n#3  0x30 in ?? ()\n',
  );
  const { strings, functions } = profile;
  expect(Array.from(functions.name, (row) => strings[row])).toEqual([
    'std::function<int (int)>::operator()',
    '(anonymous namespace)::f(int)',
    '<signal handler called>',
    '[unknown]',
  ]);
});

it('refuses dumps without a stack', async () => {
  await expect(read('Full thread dump OpenJDK 64-Bit Server VM:\n\n')).rejects.toMatchObject({
    failure: 'malformed',
    message: 'no thread has a stack',
    location: { line: 2 },
  });
});

it('takes no time for hostile lines', async () => {
  for (const piece of ['"', ' nid=', '\tat (', '#0  0x1 in ( ', '    a (', '- 1 - '])
    await expect(
      read(`Full thread dump \n"a" nid=1\n\tat ${piece.repeat(2 ** 18)}\n#0 ${piece.repeat(2 ** 18)}`).catch(
        () => null,
      ),
    ).resolves.toBeDefined();
}, 5000);
