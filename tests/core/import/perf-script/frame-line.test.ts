import { describe, expect, test } from 'vitest';
import { FrameLine, looksLikeFrame } from '#core/import/perf-script/frame-line.ts';

function parse(text: string): { address: bigint; name: string; module: string; inlined: boolean } | null {
  const bytes = new TextEncoder().encode(text);
  const line = new FrameLine();
  if (!line.parse(bytes, 0, bytes.length)) return null;
  const slice = (start: number, end: number): string => new TextDecoder().decode(bytes.subarray(start, end));
  return {
    address: (BigInt(line.addressHigh) << 32n) | BigInt(line.addressLow),
    name: slice(line.nameStart, line.nameEnd),
    module: slice(line.moduleStart, line.moduleEnd),
    inlined: line.inlined,
  };
}

describe('frame lines', () => {
  test.each<[string, string, string, bigint]>([
    ['\t    7f443cc6f090 _start (/lib/ld-2.27.so)', '_start', '/lib/ld-2.27.so', 0x7f443cc6f090n],
    [
      'ffffffff8103d0ca native_write_msr_safe+0xa ([kernel.kallsyms])',
      'native_write_msr_safe',
      '[kernel.kallsyms]',
      0xffffffff8103d0can,
    ],
    ['\tffffffffffffffff [unknown] ([unknown])', '[unknown]', '[unknown]', 0xffffffffffffffffn],
    ['\t 0 operator()(int) const (/bin/a)', 'operator()(int) const', '/bin/a', 0n],
    [
      '\t 1 std::function<int (int)>::operator()(int) const+0x7 (/bin/a)',
      'std::function<int (int)>::operator()(int) const',
      '/bin/a',
      1n,
    ],
    ['\t 1 (anonymous namespace)::f (/bin/a)', '(anonymous namespace)::f', '/bin/a', 1n],
    ['\t 1 f (/srv/My App (x86)/app (deleted))', 'f', '/srv/My App (x86)/app (deleted)', 1n],
    ['\t 1 f(char (&) [3]) (/tmp/a)b)', 'f(char (&) [3])', '/tmp/a)b', 1n],
    ['\t 1 f+0x1 (/bin/a+0x1139)', 'f', '/bin/a', 1n],
    ['\t 1 C++0xf::g+0x (/bin/a)', 'C++0xf::g+0x', '/bin/a', 1n],
    ['\t 1  (/bin/a)', '', '/bin/a', 1n],
    ['\t 1 f+0x2', 'f', '', 1n],
    ['\t 1', '', '', 1n],
    ['        b3cea6c4\tLock::unlock() (/system/lib/libc.so)', 'Lock::unlock()', '/system/lib/libc.so', 0xb3cea6c4n],
    ['\t 1 RegExp:[&<>\\"\'] (/tmp/perf-7539.map)', 'RegExp:[&<>\\"\']', '/tmp/perf-7539.map', 1n],
  ])('include: %s', (text, name, module, address) => {
    expect(parse(text)).toEqual({ name, module, address, inlined: false });
  });

  test('may have (inlined) in place of a module', () => {
    expect(parse('\t  1148 inner+0x1f (inlined)')).toMatchObject({ name: 'inner', inlined: true });
  });

  test.each([
    '',
    '   ',
    '\t          THIS_IS_A_WEIRD_LINE',
    '\t 12345678901234567 too_long (/bin/a)',
    '\t 7fa4c73bc184 start_thread (/lib/x86_64-linux-gnu',
    'abc not_indented_without_module',
    '  file.c:12',
    '\t DEAD upper_case (/bin/a)',
  ])('do not include: %s', (text) => {
    expect(parse(text)).toBeNull();
  });

  test('require a module to be certain', () => {
    const surely = (text: string): boolean => looksLikeFrame(new TextEncoder().encode(text), 0, text.length);
    expect(surely('7f00 main (/bin/a)')).toBe(true);
    expect(surely('  7f00 main')).toBe(false);
    expect(surely('prev_comm=a (b)')).toBe(false);
  });
});
