import { expect, test } from 'vitest';
import { readScriptStats, type ScriptStats } from '#collectors/perf/script-stats.ts';

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

test('counts samples, frames and those without a name', () => {
  const stats = statsOf(whole + cut + kernel + jit + bare);
  expect(stats).toMatchObject({ samples: 5, frames: 9, unresolved: 3, userSamples: 3, cutSamples: 1 });
  expect(stats.times).toEqual({ first: 10.000001, last: 10.2 });
  expect([...stats.unresolvedByModule]).toEqual([
    ['[stack]', 1],
    ['[kernel.kallsyms]', 1],
    ['/tmp/perf-12.map', 1],
  ]);
});

test('a thread’s name without a call graph is moved to the right', () => {
  const padded =
    '            true  7/7  [001] 10.25:          1 sched:sched_switch:  ffff81 f+0x6 ([kernel.kallsyms])\n';
  expect(statsOf(padded + padded)).toMatchObject({ samples: 2, frames: 0, times: { first: 10.25, last: 10.25 } });
});

test('reads what perf lost, and the event', () => {
  const lost = 'app 12/34 [001] 10.5: PERF_RECORD_LOST lost 7\n\n';
  const lostSamples = 'app 12/34 [001] 10.5: PERF_RECORD_LOST_SAMPLES lost 5\n\n';
  const stats = statsOf(lost + whole + lostSamples + cut);
  expect(stats).toMatchObject({ samples: 2, lost: 12, event: 'cpu-clock', frames: 5 });
  expect(statsOf(whole.replace('cpu-clock:', 'cycles:u:')).event).toBe('cycles:u');
  expect(statsOf(lost)).toMatchObject({ samples: 0, lost: 7, event: null, times: null });
});

test('is the same however the text is cut, with CRLF, and without the last line feed', () => {
  const text = whole + cut + kernel + jit;
  const expected = { samples: 4, frames: 9, unresolved: 3, userSamples: 3, cutSamples: 1 };
  for (const size of [1, 2, 7, 64]) expect(statsOf(text, size)).toMatchObject(expected);
  expect(statsOf(text.replaceAll('\n', '\r\n'))).toMatchObject(expected);
  expect(statsOf(text.trimEnd())).toMatchObject(expected);
});

test('comments and empty text are no samples', () => {
  expect(statsOf('')).toMatchObject({ samples: 0, frames: 0 });
  expect(statsOf('# captured on: today\n#\n')).toMatchObject({ samples: 0, frames: 0 });
});

test('knows stacks as deep as perf records', () => {
  const deep = `${head}${'\t 1167 f+0x1 (/srv/app)\n'.repeat(127)}\n`;
  expect(statsOf(deep + whole)).toMatchObject({ samples: 2, deepestSamples: 1 });
});

test('a function that starts a thread ends a stack well', () => {
  for (const root of [
    'main',
    '_start',
    'start_thread',
    '__clone3',
    'clone3',
    'runtime.goexit.abi0',
    '__libc_start_call_main',
  ]) {
    expect(statsOf(`${head}\t 1 leaf+0x1 (/a)\n\t 2 ${root}+0x1 (/a)\n\n`)).toMatchObject({ cutSamples: 0 });
  }
  expect(statsOf(`${head}\t 1 leaf+0x1 (/a)\n\n`)).toMatchObject({ cutSamples: 1 });
  const lost = '\t 1 leaf+0x1 (/a)\n\t 2 b+0x1 (/a)\n\t 3 c+0x1 (/a)\n\t 55a0 [unknown] ([unknown])\n';
  expect(statsOf(`${head}${lost}\n`)).toMatchObject({ cutSamples: 1 });
});
