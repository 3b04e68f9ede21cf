import { describe, expect, test } from 'vitest';
import { parseAnnotation } from '#collectors/perf/annotate-text.ts';

const heading = (event: string, module = '/srv/hot', samples = 3): string[] => [
  ` Period      |\tSource code & Disassembly of ${module} for ${event} (${samples} samples, percent: local period)`,
  '-------------------------------------------------------------------------------------',
];

const parse = (...lines: string[]) => parseAnnotation(lines.join('\n'));

describe('the output of perf annotate', () => {
  test('has instructions with periods, source lines without perf’s numbers, and locations', () => {
    const [event] = parse(
      'Sorted summary for file /srv/hot',
      '----------------------------------------------',
      '   34.22 hot.c:9',
      ...heading('cpu-clock', '/srv/my app, 2 for 1/hot', 374),
      '             :',
      '             : 3    Disassembly of section .text:',
      '             :',
      '             : 5    0000000000001139 <mix>:',
      '             : 6    mix():',
      '             : 4    #include <stdio.h>',
      '           0 :   1139:   mov    %edi,%eax',
      '             : 7    value ^= value << 13;',
      '   119119119 :   1146:   shl    $0xd,%edx // /src/my app/hot.c:7',
      '             : 8    ./malloc/./malloc/malloc.c:1338',
      '     1001001 :   115e:   jne    1144 <mix+0xb>',
    );
    expect(event).toEqual({
      event: 'cpu-clock',
      module: '/srv/my app, 2 for 1/hot',
      samples: 374,
      total: 120_120_120,
      omitted: { rows: 0, period: 0 },
      rows: [
        { kind: 'place', text: 'mix():' },
        { kind: 'source', text: '#include <stdio.h>' },
        { kind: 'instruction', address: '1139', text: 'mov %edi,%eax', period: 0, place: null },
        { kind: 'source', text: 'value ^= value << 13;' },
        {
          kind: 'instruction',
          address: '1146',
          text: 'shl $0xd,%edx',
          period: 119_119_119,
          place: '/src/my app/hot.c:7',
        },
        { kind: 'place', text: './malloc/./malloc/malloc.c:1338' },
        { kind: 'instruction', address: '115e', text: 'jne 1144 <mix+0xb>', period: 1_001_001, place: null },
      ],
    });
  });

  test('has one block per event', () => {
    const events = parse(
      ...heading('cycles'),
      '   7 :  10:  ret',
      ...heading('cpu_core/instructions/u'),
      '  9 : 10: ret',
    );
    expect(events.map(({ event, total }) => [event, total])).toEqual([
      ['cycles', 7],
      ['cpu_core/instructions/u', 9],
    ]);
  });

  test('keeps the start of source lines from a perf that does not number them', () => {
    const [event] = parse(...heading('cycles'), '     :      42, 43', '     :      f():', '   7 :  10:  ret');
    expect(event!.rows.map(({ text }) => text)).toEqual(['42, 43', 'f():', 'ret']);
  });

  test('is cleaned of control characters, endless lines and huge functions', () => {
    const many = Array.from({ length: 50_010 }, (_, at) => `   2 :  ${at.toString(16)}:  nop`);
    const [event] = parse(...heading('cycles'), `   : 1  \u001b[31m"\u202e${'x'.repeat(9000)}`, ...many);
    expect(event!.rows[0]!.text).toHaveLength(1994);
    expect(event!.rows).toHaveLength(50_000);
    expect(event!.omitted).toEqual({ rows: 11, period: 22 });
    expect(event!.total).toBe(100_020);
  });

  test('yields no event for other text', () => {
    expect(parse('Error:', 'The data has no samples!', ' : x', '1 : 2: y')).toEqual([]);
    expect(parse('')).toEqual([]);
  });
});
