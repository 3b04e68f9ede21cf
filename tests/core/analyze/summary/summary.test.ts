import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionNames } from '#core/analyze/search.ts';
import { DEFAULT_KIND_RULES, KindRuleError, parseKindRules } from '#core/analyze/summary/kind-rules.ts';
import { summarise } from '#core/analyze/summary/summary.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { profileFromSketch, sketches } from '../../../support/sketch-profile.ts';

function summaryOf(profile: Profile, rules = DEFAULT_KIND_RULES) {
  const view = buildStackView(profile);
  const names = functionNames(view.profile);
  const parts = { profile, selection: wholeProfile(profile), resolved: null, view, stats: functionStats(view), names };
  return summarise(parts, parseKindRules(rules), patternsHere);
}

const kindsOf = async (text: string, rules?: string): Promise<unknown> =>
  (await summaryOf(profileFromText(text), rules)).kinds.map(({ kind, weight }) => [kind, weight]);

test('lists functions by self weight, and counts the others', async () => {
  const profile = profileFromText('a;b 3\na;c 9\na 2\na;d 1\na;e 1\na;f 1\na;g 1');
  const { functions, functionCount, total } = await summaryOf(profile);
  const named = functions.map(({ func, self }) => [profile.strings[profile.functions.name[func]!], self]);
  expect(named.slice(0, 3)).toEqual([
    ['c', 9],
    ['b', 3],
    ['a', 2],
  ]);
  expect([functions.length, functionCount, total]).toEqual([5, 7, 18]);
});

test('has the net and the absolute total', async () => {
  expect(await summaryOf(profileFromText('a;b 30\na;c -12'))).toMatchObject({ total: 18, absolute: 42 });
});

describe('kinds', () => {
  test('the first rule that matches a stack decides; below an allocator everything is allocation', async () => {
    const stacks = [
      'main;malloc;_int_malloc;memcpy 5',
      'main;memcpy 3',
      'runtime.gcBgMarkWorker;runtime.gcDrain;runtime.mallocgc 4',
      'main;entry_SYSCALL_64_after_hwframe;do_syscall_64;__x64_sys_read;copy_user_generic 2',
      'main;entry_SYSCALL_64_after_hwframe;do_syscall_64;vfs_read 1',
      'main;pthread_mutex_lock;futex_wait 6',
      'cpu_startup_entry;mwait 7',
    ];
    expect(await kindsOf(stacks.join('\n'))).toEqual([
      ['idle', 7],
      ['locks', 6],
      ['allocation', 5],
      ['memory copies', 5],
      ['garbage collection', 4],
      ['system calls', 1],
    ]);
  });

  test('follow rules of the user; the rest is other', async () => {
    const rules = '# parsing\r\nparse: any: ^parse_\n\nhash: leaf: hash\nparse: leaf: ^lex$';
    expect(await kindsOf('main;parse_x;hash 1\nmain;hash 2\nmain;lex 4\nmain 8', rules)).toEqual([
      ['other', 8],
      ['parse', 5],
      ['hash', 2],
    ]);
  });

  test('add up to the total, and so do threads', async () => {
    await fc.assert(
      fc.asyncProperty(sketches, async (samples) => {
        const { kinds, total } = await summaryOf(profileFromSketch(samples));
        expect(kinds.reduce((sum, { weight }) => sum + weight, 0)).toBe(total);
      }),
    );
  });
});

test.each([
  ['locks: any', 1, 'not of the form'],
  ['a: leaf: x\n: any: y', 2, 'not of the form'],
  ['a: leaf: (', 1, 'not a regular expression'],
  ['a: leaf: code=__proto__', 1, 'unknown kind of code'],
  [`${'k'.repeat(61)}: any: x`, 1, 'invalid kind'],
  ['a: any: x\n'.repeat(101), 101, 'more than 100'],
  ['x'.repeat(20_001), 1, 'longer than'],
])('names the line of a bad rule', (text, line, message) => {
  let thrown: unknown;
  try {
    parseKindRules(text);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(KindRuleError);
  expect(thrown).toMatchObject({ line, message: expect.stringContaining(message) as string });
});
