import { expect, test } from 'vitest';
import { readScriptStats, unresolvedShare, type ScriptStats } from '#collectors/perf/script-stats.ts';

function statsOf(text: string, size = text.length): ScriptStats {
  const reader = readScriptStats();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += Math.max(1, size)) reader.push(bytes.slice(at, at + size));
  return reader.finish();
}

const head = 'my app 12/34 [001]  10.000001:   10101010 cpu-clock: \n';
const whole = `${head}\t 1167 inner+0x1e (/srv/app)\n\t 11a1 outer+0x9 (/srv/app)\n\t 1206 main+0x51 (/srv/app)\n\n`;
const cut = `${head}\t 1167 inner+0x1e (/srv/app)\n\t 7fff1234 [unknown] ([stack])\n\n`;
const kernel = `${head}\tffffffff81000010 do_idle+0x1 ([kernel.kallsyms])\n\tffffffff81000011 [unknown] ([kernel.kallsyms])\n\n`;
const jit = `${head}\t 7f01 [unknown] (/tmp/perf-12.map)\n\t 1206 main+0x51 (/srv/app)\n\n`;
const bare = 'idle 0/0 [000] 10.2: 1 cpu-clock:  ffffffff81000010 do_idle+0x1 ([kernel.kallsyms])\n';

test('counts samples and the weight of those whose innermost function has no symbol', () => {
  const stats = statsOf(whole + cut + kernel + jit + bare);
  const weight = 4 * 10_101_010;
  expect(stats).toMatchObject({ samples: 5, weight, unresolvedWeight: 10_101_010 });
  expect(unresolvedShare(stats)).toBeCloseTo(0.25, 6);
  expect(stats.times).toEqual({ first: 10.000001, last: 10.2 });
  expect([...stats.unresolvedMaps]).toEqual(['/tmp/perf-12.map']);
});

test('weighs only samples of the first event', () => {
  const other = jit.replace('cpu-clock', 'page-faults');
  expect(statsOf(whole + other)).toMatchObject({ samples: 2, weight: 10_101_010, unresolvedWeight: 0 });
});

test('reads a thread’s name that is moved to the right without a call graph', () => {
  const padded =
    '            true  7/7  [001] 10.25:          1 sched:sched_switch:  ffff81 f+0x6 ([kernel.kallsyms])\n';
  expect(statsOf(padded + padded)).toMatchObject({ samples: 2, times: { first: 10.25, last: 10.25 } });
});

test('reads lost samples and the event', () => {
  const lost = 'app 12/34 [001] 10.5: PERF_RECORD_LOST lost 7\n\n';
  const lostSamples = 'app 12/34 [001] 10.5: PERF_RECORD_LOST_SAMPLES lost 5\n\n';
  const stats = statsOf(lost + whole + lostSamples + cut);
  expect(stats).toMatchObject({ samples: 2, lost: 12, event: 'cpu-clock' });
  expect(statsOf(whole.replace('cpu-clock:', 'cycles:u:')).event).toBe('cycles:u');
  expect(statsOf(lost)).toMatchObject({ samples: 0, lost: 7, event: null, times: null });
});

test('is the same for any chunks, with CRLF, and without the last line feed', () => {
  const text = whole + cut + kernel + jit;
  const expected = { samples: 4, weight: 4 * 10_101_010, unresolvedWeight: 10_101_010 };
  for (const size of [1, 2, 7, 64]) expect(statsOf(text, size)).toMatchObject(expected);
  expect(statsOf(text.replaceAll('\n', '\r\n'))).toMatchObject(expected);
  expect(statsOf(text.trimEnd())).toMatchObject(expected);
});

test('finds no samples in comments and empty text', () => {
  expect(statsOf('')).toMatchObject({ samples: 0, weight: 0 });
  expect(statsOf('# captured on: today\n#\n')).toMatchObject({ samples: 0, weight: 0 });
});
