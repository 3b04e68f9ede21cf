import { describe, expect, test } from 'vitest';
import { parseBootTime, parseCommandLine, parseFields, parseProcStat } from '#collectors/target/proc-files.ts';

const after = ' S 1 42 42 0 -1 4194560 1 2 3 4 500 70 8 9 20 0 3 0 123456789012345678 1000 25 18446744073709551615';

describe('/proc/<pid>/stat', () => {
  test('accepts names with spaces, parentheses and line feeds', () => {
    expect(parseProcStat(`42 (a) (b\n c)${after}`)).toEqual({
      pid: 42,
      name: 'a) (b\n c',
      state: 'S',
      parent: 1,
      group: 42,
      isKernelThread: false,
      isExiting: false,
      cpuTicks: 570,
      userTicks: 500,
      childTicks: 17,
      childUserTicks: 8,
      threads: 3,
      startTicks: '123456789012345678',
      rssPages: 25,
    });
  });
  test('recognises kernel threads by their flag', () => {
    const stat = '2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 8 0 0 20 0 1 0 24 0 0';
    expect(parseProcStat(stat)).toMatchObject({ isKernelThread: true });
  });
  test.each(['', 'x', '42', '42 (cut', '42 (cut) S 1', 'x (y) S'])('refuses %j', (text) => {
    expect(parseProcStat(text)).toBeNull();
  });
});

test('parses fields of status and os-release', () => {
  const fields = parseFields('Name:\tx\nUid:\t1\t2\t3\t4\nID=debian\nPRETTY_NAME="Debian 12"\n__proto__: odd\n');
  expect([...fields]).toEqual([
    ['Name', 'x'],
    ['Uid', '1\t2\t3\t4'],
    ['ID', 'debian'],
    ['PRETTY_NAME', 'Debian 12'],
    ['__proto__', 'odd'],
  ]);
});

test('parses command lines', () => {
  const parse = (text: string): string[] => parseCommandLine(new TextEncoder().encode(text));
  expect(parse('a\0b c\0\0d\0')).toEqual(['a', 'b c', '', 'd']);
  expect(parse('nginx: worker process\0\0\0')).toEqual(['nginx: worker process']);
  expect(parse('')).toEqual([]);
});

test('parses the boot time', () => {
  expect(parseBootTime('cpu 1 2\nbtime 1795257936\n')).toBe(1795257936);
  expect(parseBootTime('cpu 1 2\n')).toBeNull();
});
