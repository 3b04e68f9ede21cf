import { expect, test } from 'vitest';
import { readMachineFacts } from '#collectors/target/machine-facts.ts';
import { readElfFacts } from '#collectors/target/elf.ts';
import { innerPid, parseProcStat } from '#collectors/target/proc-files.ts';
import {
  debugFileOf,
  normalTargetPath,
  parseBuildId,
  parseCount,
  parseKernelRelease,
  parsePid,
  parseTargetName,
  parseTargetPath,
} from '#collectors/target/target-words.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { encodeElf } from '../../support/encode/elf.ts';

/** Each is passed to its function: first what is accepted, then what is refused. */
const TABLE: readonly (readonly [(text: string) => unknown, readonly string[], readonly string[]])[] = [
  [
    parseTargetPath,
    ['/', '/usr/bin/nginx', '/a b/ü', '/x (deleted)', '/..a/b..', '/$(id)', '/-rf', `/${'a'.repeat(4000)}`],
    [
      '',
      'a',
      './a',
      '..',
      '/..',
      '/.',
      '/a/..',
      '/a/../b',
      '/../../x',
      '/a/./b',
      '/a//b',
      '//a',
      '/a/',
      ' /a',
      '/a\n/b',
      '/a\r',
      '/a\0b',
      '/a\tb',
      '/a\u001bb',
      `/${'a'.repeat(4095)}`,
      `/${'ü'.repeat(2100)}`,
    ],
  ],
  [
    parseTargetName,
    ['a', '..a', '-rf', 'a b', 'stap_x.ko'],
    ['', '.', '..', '/', 'a/b', '../a', 'a\n', 'a\0', 'a'.repeat(256)],
  ],
  [
    parseKernelRelease,
    ['6.1.0-49-amd64', '6.12.48+deb13-amd64', '5.14.0-427.el9.x86_64', '6.1~rc1', '..6'],
    ['', '.', '..', '../..', '6.1/..', '/etc', '6.1 x', '6.1\n', '6.1\n/etc', '$(id)', "6.1'", '6'.repeat(65)],
  ],
  [parseBuildId, ['ab', '0123456789abcdef'.repeat(8)], ['', 'a', 'AB', '../..', 'ab/..', 'ab\n', 'a'.repeat(129)]],
  [parsePid, ['1', '2147483647'], ['', '0', '-1', '1.5', '1e3', '0x10', ' 7', '7\n', '2147483648', '7; id']],
  [
    parseCount,
    ['0', '9007199254740991'],
    ['', '-1', '1e9', '9007199254740992', '99999999999999999', 'NaN', 'Infinity'],
  ],
];

test.each(TABLE)('%o accepts words of its kind and refuses all others', (parse, accepted, refused) => {
  expect(accepted.filter((word) => String(parse(word)) !== word)).toEqual([]);
  expect(refused.filter((word) => parse(word) !== null)).toEqual([]);
});

test('a path from the settings of the user there is brought into normal form, and stays absolute', () => {
  expect(normalTargetPath('/tmp//flamebench-1/')).toBe('/tmp/flamebench-1');
  expect(normalTargetPath('/')).toBe('/');
  expect(['tmp/x', '', null, '/a\nb'].map(normalTargetPath)).toEqual([null, null, null, null]);
});

test('the place of debug information is in its folder', () => {
  expect(debugFileOf(parseBuildId('abcdef')!)).toBe('/usr/lib/debug/.build-id/ab/cdef.debug');
});

test('PIDs and times of /proc are numbers', () => {
  const after = `S 1 ${'0 '.repeat(17)}`;
  expect(parseProcStat(`7 (a) ${after}42 0 0`)).toMatchObject({ pid: 7, startTicks: '42' });
  expect(parseProcStat(`7 (a) ${after}$(id) 0 0`)).toBeNull();
  expect(parseProcStat(`-7 (a) ${after}42 0 0`)).toBeNull();
  expect(innerPid('NSpid:\t7\t1e30')).toBeNull();
});

test('the release of a kernel that is a path is not kept with a capture', async () => {
  const local = createLocalTarget();
  const target: Target = { ...local, kind: 'ssh', run: () => local.run(['printf', '../../x']) };
  expect(await readMachineFacts(target)).toMatchObject({ kernel: null, cpuCount: null });
});

test('a file that has ever more parts is not read to its end', async () => {
  const file = encodeElf({
    isWide: true,
    littleEndian: true,
    codeAddress: 0,
    codeOffset: 0x100,
    codeBytes: 1,
    symbols: [],
  });
  const view = new DataView(file.buffer);
  // 2,000 notes, none of which is a build ID.
  view.setBigUint64(32, 4096n, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, 2000, true);
  let reads = 0;
  const target = {
    readRanges: ([range]: Parameters<Target['readRanges']>[0]) => {
      const { offset, length } = range!;
      reads += 1;
      const part = new Uint8Array(length);
      const row = new DataView(part.buffer);
      if (offset === 0) part.set(file.subarray(0, length));
      else if (offset === 4096) {
        for (let at = 0; at < 2000; at++) {
          row.setUint32(at * 56, 4, true);
          row.setBigUint64(at * 56 + 8, BigInt(2 ** 30 + at * 100), true);
          row.setBigUint64(at * 56 + 32, 100n, true);
        }
      }
      return Promise.resolve([part]);
    },
  } as unknown as Target;
  expect(await readElfFacts(target, '/bin/x')).toBeNull();
  expect(reads).toBe(300);
});
