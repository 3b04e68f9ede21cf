import { describe, expect, test } from 'vitest';
import { previousRun } from '#core/contract/previous-run.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { compareCandidates } from '../../../renderer/state/compare-candidates.ts';
import type { CompareInput } from '../../../renderer/state/compare/compare.types.ts';
import type { ProfileTab } from '../../../renderer/state/profile/tab.ts';

const capture = (id: string, more: Partial<CaptureDocument> = {}): CaptureDocument =>
  ({
    id,
    name: id,
    state: 'finished',
    createdAt: 0,
    process: null,
    collector: null,
    target: null,
    event: 'cpu-clock',
    series: null,
    primaryFile: `${id}.txt`,
    ...more,
  }) as CaptureDocument;
const run = (id: string, number: number): CaptureDocument =>
  capture(id, { series: { id: 'series', run: number, of: 2 } });

const tab = (id: string, captureId: string | null): ProfileTab =>
  ({
    kind: 'profile',
    id,
    source: { fileName: `${id}.folded` },
    store: { get: () => ({ captureId, fileName: `${id}.folded`, name: null }) },
  }) as unknown as ProfileTab;

const captureInput = (id: string): CompareInput => ({ origin: { kind: 'capture', id } }) as CompareInput;
const tabInput = ({ id }: ProfileTab): CompareInput => ({ origin: { kind: 'tab', id } }) as unknown as CompareInput;

describe('what a profile can be compared with', () => {
  const captures = [capture('a'), capture('b'), capture('c'), run('run1', 0), run('run2', 1)];
  const of = (open: readonly ProfileTab[]) =>
    compareCandidates({ tabs: open, captures }, open[0]!, { captureInput, tabInput });

  test('lists each capture once, those that are open first', () => {
    const { own, candidates } = of([tab('1', 'a'), tab('2', 'c'), tab('3', 'c'), tab('4', null)]);
    expect(own?.id).toBe('capture a');
    expect(candidates.map(({ key, isOpen }) => `${key} ${isOpen}`)).toEqual([
      '4 true',
      'capture c true',
      'capture b false',
      'series series false',
    ]);
  });

  test('an open run represents its series; an open capture is read as its tab reads it', () => {
    const { candidates } = of([tab('1', 'a'), tab('2', 'run2'), tab('3', 'b')]);
    const inputs = new Map(candidates.map(({ key, inputs: read }) => [key, read().map(({ origin }) => origin)]));
    expect(inputs.get('series series')).toEqual([
      { kind: 'capture', id: 'run1' },
      { kind: 'capture', id: 'run2' },
    ]);
    expect(inputs.get('capture b')).toEqual([{ kind: 'tab', id: '3' }]);
    expect(of([tab('1', 'run1'), tab('2', 'run2')]).candidates.map(({ key }) => key)).not.toContain('series series');
  });
});

test('the previous run is of the same program, collector, event and host', () => {
  const process = { pid: 1, name: 'server' } as CaptureDocument['process'];
  const perf = { collector: 'perf' } as NonNullable<CaptureDocument['options']>;
  const own = capture('own', { createdAt: 9, process, options: perf });
  const like = (id: string, more: Partial<CaptureDocument>): CaptureDocument =>
    capture(id, { process, options: perf, createdAt: 8, ...more });
  const others = [
    like('collector', { options: { collector: 'bpftrace' } as NonNullable<CaptureDocument['options']> }),
    like('event', { event: 'cycles' }),
    like('host', { target: { kind: 'ssh', host: 'web' } as CaptureDocument['target'] }),
    like('program', { process: { pid: 2, name: 'client' } as CaptureDocument['process'] }),
    like('later', { createdAt: 10 }),
  ];
  expect(previousRun(own, [own, ...others])).toBeNull();
  expect(previousRun(own, [own, ...others, like('old', { createdAt: 1 }), like('new', { createdAt: 2 })])?.id).toBe(
    'new',
  );
});
