import { expect, test } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { watchAgain } from '../../../../renderer/features/record/record-again.ts';

const OPTIONS = {
  collector: 'perf',
  scope: { kind: 'pid', pid: 7, startTicks: '99' },
  rateHz: 199,
  event: null,
  callGraph: 'fp',
  seconds: 30,
} as const;
const ROWS = [{ id: 'ssh://ada@web1:2222' }] as unknown as readonly TargetRow[];
const capture = (change: object): CaptureDocument =>
  ({ options: OPTIONS, process: null, target: { kind: 'ssh', host: 'web1' }, ...change }) as unknown as CaptureDocument;

test('watches the process of a capture again, without an end', () => {
  expect(watchAgain(capture({}), ROWS)).toMatchObject({
    kind: 'record',
    purpose: { kind: 'live' },
    targets: ['ssh://ada@web1:2222'],
    initial: { options: OPTIONS },
  });
  const pprof = { collector: 'pprof', scope: { kind: 'url', url: 'http://a/' }, seconds: 30 };
  const traced = { collector: 'bpftrace', scope: OPTIONS.scope, seconds: null };
  const recipe = { kind: 'recipe', recipe: 'off-cpu', rateHz: 99, stacks: 'both' };
  expect(watchAgain(capture({ options: { ...pprof, kinds: ['cpu'] } }), ROWS)).not.toBeNull();
  expect(watchAgain(capture({ options: { ...traced, what: recipe } }), ROWS)).not.toBeNull();
  for (const change of [
    { options: { ...pprof, kinds: ['heap'] } },
    { options: { ...pprof, kinds: ['cpu', 'block'] } },
    { options: { ...traced, what: { kind: 'script', text: 'x' } } },
    { options: { ...OPTIONS, scope: { kind: 'system' } } },
    { options: undefined },
    { target: { kind: 'ssh', host: 'unknown' } },
    { target: null },
  ]) {
    expect(watchAgain(capture(change), ROWS)).toBeNull();
  }
});
