import { describe, expect, test } from 'vitest';
import { EventLine } from '#core/import/perf-script/event-line.ts';

interface Parsed {
  comm: string;
  ids: string;
  cpu: number;
  /** `seconds.nanoseconds`; null if the line has no time. */
  time: string | null;
  period: number | null;
  event: string;
  rest: string;
  weak: boolean;
}

function parse(text: string): Parsed | null {
  const bytes = new TextEncoder().encode(text);
  const line = new EventLine();
  if (!line.parse(bytes, 0, bytes.length)) return null;
  const slice = (start: number, end: number): string => new TextDecoder().decode(bytes.subarray(start, end));
  return {
    comm: slice(line.commStart, line.commEnd),
    ids: `${line.pid}/${line.tid}`,
    cpu: line.cpu,
    time: line.hasTime ? `${line.seconds}.${String(line.nanoseconds).padStart(9, '0')}` : null,
    period: line.hasPeriod ? line.period : null,
    event: slice(line.eventStart, line.eventEnd),
    rest: slice(line.restStart, bytes.length),
    weak: line.weak,
  };
}

const usual: Parsed = {
  comm: 'java',
  ids: '-1/25607',
  cpu: -1,
  time: '4794564.109216000',
  period: null,
  event: 'cycles',
  rest: '',
  weak: false,
};

describe('event lines', () => {
  test.each<[string, Partial<Parsed>]>([
    ['java 25607 4794564.109216: cycles:', {}],
    ['java 25607 4794564.109216: cycles: ', {}],
    ['java 25607 4794564.109216:          1 cycles: ', { period: 1 }],
    ['java 12688 [002] 4794564.109216: 235 cpu-clock: ', { ids: '-1/12688', cpu: 2, period: 235, event: 'cpu-clock' }],
    ['java 12688/12764 4794564.109216: 10309278 cycles:', { ids: '12688/12764', period: 10309278 }],
    [
      'java 24636/25607 [000] 4794564.109216: 1 cycles:uppp:',
      { ids: '24636/25607', cpu: 0, period: 1, event: 'cycles:uppp' },
    ],
    ['java     9/9     4794564.109216: cycles: ', { ids: '9/9' }],
    ['            java 25607 4794564.109216: cycles: ', {}],
    ['java 25607 4794564.109216789: cycles: ', { time: '4794564.109216789' }],
    ['java 25607     0.000000: cycles: ', { time: '0.000000000' }],
    ['java 25607 4794564.109216:    1000000     cpu-clock: ', { period: 1000000, event: 'cpu-clock' }],
    [
      'java 25607 4794564.109216: 7 cpu_core/cycles:ppp/:  ffff [unknown] ([k])',
      { period: 7, event: 'cpu_core/cycles:ppp/', rest: 'ffff [unknown] ([k])' },
    ],
    [
      'java 25607 4794564.109216: sched:sched_switch: prev_comm=a:1 b: 2',
      { event: 'sched:sched_switch', rest: 'prev_comm=a:1 b: 2' },
    ],
    ['java 25607 [001] K      4794564.109216: cycles: ', { cpu: 1 }],
    ['java\t25607 [007] 4794564.109216:\t\t1000000 task-clock:u:', { cpu: 7, period: 1000000, event: 'task-clock:u' }],
    [':-1    -1 [000] 4794564.109216: cycles:', { comm: ':-1', ids: '-1/-1', cpu: 0 }],
    ['25607 4794564.109216: cycles:', { comm: '' }],
    ['java 25607 4794564.109216: ', { event: '' }],
  ])('include: %s', (text, expected) => {
    expect(parse(text)).toEqual({ ...usual, ...expected });
  });

  test.each<[string, string, string]>([
    ['FS Broker 5906  7564/7570 4794564.109216: 1 cycles:', 'FS Broker 5906', '7564/7570'],
    ['child 9/2 [x] 20380/20380 4794564.109216: 1 cycles:', 'child 9/2 [x]', '20380/20380'],
    ['wrk: one (1) 20377/20379 4794564.109216: 1 cycles:', 'wrk: one (1)', '20377/20379'],
    ['1 2 [003] 4.5: 77 4794564.109216: 1 cycles:', '1 2 [003] 4.5:', '-1/77'],
    ['a 1 1.000000: x 77 4794564.109216: 1 cycles:', 'a 1 1.000000: x', '-1/77'],
    ['β-worker 77 4794564.109216: 1 cycles:', 'β-worker', '-1/77'],
    ['[kworker/0:1] 77 4794564.109216: 1 cycles:', '[kworker/0:1]', '-1/77'],
  ])('accept any comm: %s', (text, comm, ids) => {
    expect(parse(text)).toMatchObject({ comm, ids, time: '4794564.109216000' });
  });

  test.each<[string, Partial<Parsed>]>([
    ['java 19983 cycles:', { ids: '-1/19983' }],
    ['java 19983/19984 cycles:', { ids: '19983/19984' }],
    ['FS Broker 5906 19983 cycles:', { comm: 'FS Broker 5906', ids: '-1/19983' }],
    ['java 19983 [001] cycles:', { ids: '-1/19983', cpu: 1, weak: false }],
    ['java 19983     250000 cycles:', { ids: '-1/19983', period: 250000, weak: false }],
    ['java 19983 cycles:u:  7f00 main (/bin/a)', { ids: '-1/19983', event: 'cycles:u', rest: '7f00 main (/bin/a)' }],
    ['java 19983', { ids: '-1/19983', event: '' }],
    ['java 19983  7f00 main (/bin/a)', { ids: '-1/19983', event: '', rest: '7f00 main (/bin/a)' }],
  ])('may have no time: %s', (text, expected) => {
    expect(parse(text)).toEqual({ ...usual, time: null, weak: true, ...expected });
  });

  test.each([
    'java cycles:',
    '',
    'a;b;c 12 12.5',
    'Running 30s test @ http://127.0.0.1:8080/index.html',
    '  2 threads and 100 connections',
    '\t    7f443cc6f090 _start (/lib/x86_64-linux-gnu/ld-2.27.so)',
    'bash-1234  [000]  1234.567890: sched_switch: prev_comm=bash',
    'java 25607 4794564.109216: 1 cyc',
  ])('do not include: %s', (text) => {
    expect(parse(text)).toBeNull();
  });

  test.each([
    'java 25607 [99999] 4794564.109216: 1 cycles:',
    'java 99999999999 4794564.109216: 1 cycles:',
    'java 1 99999999999999999999.109216: 1 cycles:',
  ])('do not accept numbers beyond a profile’s limits as a time: %s', (text) => {
    expect(parse(text)).toMatchObject({ time: null, weak: true });
  });
});
