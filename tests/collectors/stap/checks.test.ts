import { expect, test } from 'vitest';
import { hasBareVmlinux } from '#collectors/stap/checks.ts';
import { targetWithFile, tinyElf } from '../../support/tiny-elf.ts';

const some = new Uint8Array(24);

test.each([
  ['Debian 13’s, which has types and their symbols', ['.BTF', '.symtab'], true],
  ['a stripped one', ['.text'], true],
  ['a whole one', ['.text', '.symtab'], false],
  ['one of debuginfo', ['.text', '.debug_info', '.symtab'], false],
])('a vmlinux that hides the kernel’s symbols: %s', async (_name, sections, expected) => {
  const file = tinyElf(sections.map((name) => [name, some]));
  expect(await hasBareVmlinux(targetWithFile(file), '6.12.1-amd64')).toBe(expected);
});

test('a vmlinux that is not there hides nothing', async () => {
  expect(await hasBareVmlinux(targetWithFile(null), '6.12.1-amd64')).toBe(false);
});
