import { expect, test } from 'vitest';
import { parseEvents } from '#collectors/perf/event-grammar.ts';

test.each([
  'cycles',
  'cpu-clock:u',
  'cycles:ppp',
  'L1-dcache-load-misses',
  'r1a8',
  'r1A8:k',
  'cpu/event=0xd1,umask=0x02,name=x/u',
  'cpu/mem-loads,ldlat=30/P',
  'cpu/cycles/',
  'msr/tsc/',
  'uncore_imc_0/cas_count_read/',
  'mem:0x7ffff000:rw:u',
  'mem:4096/8:w',
  'sched:sched_switch',
  'syscalls:sys_enter_read:u',
  'probe_libc:malloc',
  'cycles,instructions:u',
  '{cycles,instructions}:S',
  '{cpu/cycles,period=1000/,branches},page-faults',
])('%s matches the grammar', (text) => {
  expect(parseEvents(text).refusal).toBeNull();
});

test('parses an event', () => {
  expect(parseEvents('{cpu/event=0x3c,any/u,sched:sched_switch},mem:0x10:x,r1a8:k,cycles:u').events).toEqual([
    {
      kind: 'pmu',
      pmu: 'cpu',
      terms: [
        { name: 'event', value: '0x3c' },
        { name: 'any', value: null },
      ],
    },
    { kind: 'tracepoint', system: 'sched', name: 'sched_switch' },
    { kind: 'memory', text: 'mem:0x10:x' },
    { kind: 'raw', text: 'r1a8' },
    { kind: 'name', name: 'cycles' },
  ]);
});

test.each([
  '/tmp/evil.c',
  './evil.c',
  '../evil.o',
  '~/evil.bpf',
  'evil.c',
  'evil.o',
  'evil.bpf',
  'EVIL.C',
  'cycles,evil.c',
  '{cycles,evil.o}',
  'evil.c/map:m.event=1/',
  '/tmp/evil.c/map:m.event=1/',
  'evil.o:u',
  'cpu/evil.c/',
  'cpu/config=evil.c/',
  'cpu/config=/tmp/x/',
  'cpu/@sink=file/',
  'cpu/name=a b/',
  '-o/tmp/x',
  '--output=/tmp/x',
  '@file',
  '',
  ',',
  'cycles,',
  '{}',
  '{cycles',
  'cycles}',
  '{{cycles}}',
  'cycles:u:k:zz',
  'cpu/cycles/zz',
  'cycles\n',
  'cycles evil.c',
  'cycles\u0000',
  'mem:0x10/evil.c',
  'mem:evil',
  'r1a8.c',
  'sched:*',
  'a:b:c:d',
  '%nm/evil.c',
  '$(id)',
  '`id`',
  'a;b',
  Array.from({ length: 33 }, () => 'cycles').join(),
])('refuses %j', (text) => {
  expect(parseEvents(text)).toMatchObject({ events: null, refusal: expect.stringMatching(/./) });
});
