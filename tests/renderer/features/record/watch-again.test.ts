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
    initial: { options: { ...OPTIONS, seconds: null } },
  });
  for (const change of [
    { options: { ...OPTIONS, scope: { kind: 'system' } } },
    { options: undefined },
    { target: { kind: 'ssh', host: 'unknown' } },
    { target: null },
  ]) {
    expect(watchAgain(capture(change), ROWS)).toBeNull();
  }
});
