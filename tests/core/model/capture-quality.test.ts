import { expect, test } from 'vitest';
import { captureQuality, unresolvedByModule } from '#core/model/capture-quality.ts';
import { describeQuality, gradeShares, withLost } from '#core/model/quality-grade.ts';
import { qualitySentence } from '#core/model/quality-sentence.ts';
import { readPerfScript } from '../../support/perf-script-text.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const WHOLE = { unresolved: 0, unrooted: 0, truncated: 0, lost: 0 };

/** Writes a sample with frames `name module`, leaf first. */
function sample(frames: readonly string[], period = 100): string {
  const lines = frames.map((frame, index) => {
    const [name, module = '/srv/app'] = frame.split(' ');
    const address = module.startsWith('[kernel') ? 'ffffffff81000010' : `55a0${1000 + index}`;
    return `\t ${address} ${name === '?' ? '[unknown]' : name} (${module})\n`;
  });
  return `app 12/34 10.000001: ${period} cpu-clock: \n${lines.join('')}\n`;
}
const qualityOf = (...samples: string[]) => captureQuality(readPerfScript(samples.join('')));
const whole = sample(['inner', 'outer', 'main']);

test('is good if stacks reach functions in which threads start', () => {
  expect(qualityOf(whole, sample(['read [kernel.kallsyms]', 'inner', 'main']))).toEqual({ ...WHOLE, grade: 'good' });
});

test('counts unresolved weight once per sample, by its innermost function', () => {
  const stripped = sample(['? /usr/lib/libx.so', '? /usr/lib/libx.so', 'outer', 'main'], 300);
  const caller = sample(['inner', '? /usr/lib/libx.so', 'main'], 600);
  const profile = readPerfScript(whole + stripped + caller);
  expect(captureQuality(profile)).toMatchObject({ unresolved: 0.3, grade: 'limited' });
  expect(unresolvedByModule(profile)).toEqual({
    share: 0.3,
    samples: 1,
    modules: [{ module: '/usr/lib/libx.so', share: 0.3 }],
  });
  expect(profile.diagnostics[0]?.message).toBe(
    '30.0 % of the weight is in functions without a symbol, most of it in [libx.so].',
  );
});

test('recognises stacks without callers: ending outside code, after 1 or 2 frames, or in a called function', () => {
  const nowhere = sample(['a', 'b', 'c', '? [unknown]']);
  const short = sample(['memcpy', 'parse']);
  const called = sample(['a', 'b', 'inner']);
  for (const cut of [nowhere, short, called]) expect(qualityOf(whole, cut)).toMatchObject({ unrooted: 0.5 });
  expect(qualityOf(whole, whole, sample(['x', 'y', 'coroutine_entry']))).toMatchObject({ unrooted: 0 });
});

test('says which rule most stacks without callers break', () => {
  const reasons = [
    [sample(['a', 'b', 'c', '? [unknown]']), 'the outermost address is not in code'],
    [sample(['memcpy', 'parse']), 'only one or two frames outside the kernel'],
    [sample(['__schedule [kernel.kallsyms]', 'syscall', 'hashCode']), 'only one or two frames outside the kernel'],
    [sample(['a', 'b', 'inner']), 'the outermost function is called elsewhere'],
  ] as const;
  for (const [cut, reason] of reasons) {
    const quality = qualityOf(whole, cut);
    expect(describeQuality(quality!)).toContain(`50.0 % without callers (${reason})`);
    expect(qualitySentence(quality, 2).sentence).toContain(`stacks without callers (${reason}), so totals`);
  }
  expect(qualityOf(whole)).not.toHaveProperty('unrootedBy');
});

test('accepts a function that starts a thread as the end of a stack', () => {
  const roots = [
    'main',
    '_start',
    'start_thread',
    '__clone3',
    'clone3',
    'runtime.goexit.abi0',
    '__libc_start_call_main',
  ];
  for (const root of roots) expect(qualityOf(sample(['leaf', root]))).toMatchObject({ unrooted: 0 });
  expect(qualityOf(sample(['do_idle [kernel.kallsyms]']))).toMatchObject({ unrooted: 0 });
  expect(qualityOf(sample(['? [kernel.kallsyms]', '? [kernel.kallsyms]']))).toMatchObject({
    unrooted: 0,
    unresolved: 1,
  });
});

test('is truncated with the maximum number of frames, unless the stack is complete', () => {
  const deep = Array.from({ length: 127 }, (_, index) => (index === 0 ? 'leaf' : 'recurse'));
  expect(qualityOf(whole, sample(deep))).toMatchObject({ truncated: 0.5, unrooted: 0, grade: 'poor' });
  expect(qualityOf(whole, sample([...deep, 'main']))).toMatchObject({ truncated: 0, grade: 'good' });
});

test('uses the larger number of losses from the file and the recording', () => {
  const profile = readPerfScript(`${whole}app 12/34 [001] 10.500000: PERF_RECORD_LOST lost 1\n\n${whole.repeat(8)}`);
  expect(captureQuality(profile)).toMatchObject({ lost: 0.1 });
  expect(captureQuality(profile, { lost: 3 })).toMatchObject({ lost: 0.25, grade: 'poor' });
  expect(withLost(gradeShares(WHOLE), 99, 1)).toMatchObject({ lost: 0.01, grade: 'good' });
  expect(withLost(null, 0, 9)).toMatchObject({ lost: 1, grade: 'poor' });
  expect(withLost(null, 0, 0)).toBeNull();
});

test('does not judge formats without native unwinding by their roots', () => {
  expect(captureQuality(profileFromText('a;b 3\nc 2'))).toEqual({ ...WHOLE, grade: 'good' });
});

test('has no value without weight', () => {
  expect(captureQuality(profileFromText('a;b 0'))).toBeNull();
});

test('names the shares that caused the grade, largest first', () => {
  expect(describeQuality(gradeShares(WHOLE))).toBe('good');
  expect(describeQuality(gradeShares({ ...WHOLE, unresolved: 0.071, unrooted: 0.62 }))).toBe(
    'poor: 62.0 % without callers, 7.1 % unresolved',
  );
});
