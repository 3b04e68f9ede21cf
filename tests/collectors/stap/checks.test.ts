import { expect, test } from 'vitest';
import { hasBareVmlinux } from '#collectors/stap/checks.ts';
import { parseKernelRelease } from '#collectors/target/target-words.ts';
import { targetWithFile, tinyElf } from '../../support/tiny-elf.ts';

const RELEASE = parseKernelRelease('6.12.1-amd64')!;
const some = new Uint8Array(24);

test.each([
  ['Debian 13’s, which has types and their symbols', ['.BTF', '.symtab'], true],
  ['a stripped one', ['.text'], true],
  ['a whole one', ['.text', '.symtab'], false],
  ['one of debuginfo', ['.text', '.debug_info', '.symtab'], false],
])('a vmlinux that hides the kernel’s symbols: %s', async (_name, sections, expected) => {
  const file = tinyElf(sections.map((name) => [name, some]));
  expect(await hasBareVmlinux(targetWithFile(file), RELEASE)).toBe(expected);
});

test('a vmlinux that is not there hides nothing', async () => {
  expect(await hasBareVmlinux(targetWithFile(null), RELEASE)).toBe(false);
});
