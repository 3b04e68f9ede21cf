import { expect, test } from 'vitest';
import { subtractBase } from '#core/analyze/reading/subtract-base.ts';
import { goroutineGroups } from '#core/analyze/tables/goroutines.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const goroutine = (id: number, state: string, ...calls: string[]): string =>
  `goroutine ${id} [${state}]:\n${calls.map((call) => `${call}()\n\t/src/a.go:1 +0x1\n`).join('')}created by main.start in goroutine 1\n\t/src/a.go:2 +0x1\n`;
const read = (...goroutines: string[]): Promise<Profile> =>
  importProfile(byteSource(goroutines.join('\n')), { format: 'goroutines' });
const groupsOf = (profile: Profile) => goroutineGroups(profile, wholeProfile(profile));
const wait = ['internal/poll.runtime_pollWait', 'net.(*conn).Read', 'main.read'];

test('groups goroutines by stack, with their states and longest wait', async () => {
  const profile = await read(
    goroutine(1, 'IO wait, 3 minutes', ...wait),
    goroutine(2, 'running', 'main.burn'),
    goroutine(3, 'IO wait, 12 minutes', ...wait),
    goroutine(4, 'runnable', ...wait),
  );
  expect(groupsOf(profile)).toMatchObject([
    {
      count: 3,
      own: 'main.read',
      states: [
        { text: 'IO wait', count: 2 },
        { text: 'runnable', count: 1 },
      ],
      longestWaitNs: 720e9,
      createdBy: 'main.start',
      frames: wait,
    },
    { count: 1, own: 'main.burn', states: [{ text: 'running', count: 1 }], longestWaitNs: 0 },
  ]);
});

test('after subtracting a base, lists the largest growth first and leaves out unchanged groups', async () => {
  const before = await read(
    goroutine(1, 'select', 'main.gone'),
    goroutine(2, 'select', 'main.gone'),
    goroutine(3, 'select', 'main.same'),
  );
  const after = await read(goroutine(3, 'select', 'main.same'), goroutine(4, 'chan send, 1 minutes', 'main.leak'));
  const groups = groupsOf(subtractBase(after, before, false));
  expect(groups.map(({ own, count, longestWaitNs }) => [own, count, longestWaitNs])).toEqual([
    ['main.leak', 1, 60e9],
    ['main.gone', -2, null],
  ]);
});

test('a profile without states has only counts; one without goroutines has no groups', async () => {
  const counts = await importProfile(
    byteSource(
      'goroutine profile: total 3\n3 @ 0x1 0x2\n#\t0x1\truntime.gopark+0x1\t/a.go:1\n#\t0x2\tmain.leak+0x1\t/a.go:2\n',
    ),
    {},
  );
  expect(groupsOf(counts)).toMatchObject([{ count: 3, states: [], longestWaitNs: null, createdBy: null }]);
  expect(groupsOf(profileFromText('a;b 3'))).toEqual([]);
});
