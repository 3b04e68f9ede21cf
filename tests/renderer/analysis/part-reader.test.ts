import { describe, expect, test } from 'vitest';
import { createPartReader } from '../../../renderer/analysis/part-reader.ts';
import type { PartPort } from '../../../renderer/analysis/part-reader.ts';
import type { PartJob, PartMessage } from '../../../renderer/analysis/part-messages.ts';
import type { OpenSource } from '../../../renderer/analysis/protocol.ts';

const LARGE = 40 * 2 ** 20;
const sourceOf = (size: number | null): OpenSource => ({ kind: 'url', url: '/f', headers: {}, fileName: 'a', size });

class FakeWorker implements PartPort {
  readonly jobs: PartJob[] = [];
  ended = false;
  onmessage: PartPort['onmessage'] = null;
  onerror: PartPort['onerror'] = null;
  postMessage(job: PartJob): void {
    this.jobs.push(job);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(data: PartMessage): void {
    this.onmessage?.({ data } as MessageEvent<PartMessage>);
  }
}

describe('the second worker of a large source', () => {
  test('starts for large sources where there are processors for it', () => {
    let started = 0;
    const start = (): FakeWorker => {
      started += 1;
      return new FakeWorker();
    };
    expect(createPartReader(sourceOf(LARGE), 2, start)).toBeNull();
    expect(createPartReader(sourceOf(1000), 4, start)).toBeNull();
    expect(createPartReader(sourceOf(null), 4, start)).toBeNull();
    expect(started).toBe(0);
    expect(createPartReader(sourceOf(LARGE), 3, start)).not.toBeNull();
    expect(started).toBe(1);
  });

  test('tells its progress and answers', async () => {
    const worker = new FakeWorker();
    const reader = createPartReader(sourceOf(LARGE), 4, () => worker)!;
    const progress: number[] = [];
    const answer = reader.read('perf-script', 5, 9, (bytes) => progress.push(bytes));
    expect(worker.jobs).toEqual([{ source: sourceOf(LARGE), importer: 'perf-script', start: 5, end: 9 }]);
    worker.answer({ readBytes: 2 });
    worker.answer({ readBytes: 4 });
    worker.answer({ part: null });
    expect(await answer).toBeNull();
    expect(progress).toEqual([2, 4]);
  });

  test('answers with nothing where it fails, and where it is stopped', async () => {
    const failing = new FakeWorker();
    const answer = createPartReader(sourceOf(LARGE), 4, () => failing)!.read('perf-script', 0, 9, () => undefined);
    failing.onerror?.({} as ErrorEvent);
    expect(await answer).toBeNull();
    const stopped = new FakeWorker();
    const reader = createPartReader(sourceOf(LARGE), 4, () => stopped)!;
    const never = reader.read('perf-script', 0, 9, () => undefined);
    reader.stop();
    expect(await never).toBeNull();
    expect(stopped.ended).toBe(true);
  });
});
