import { expect, test } from 'vitest';
import type { RecordingOutcome } from '#collectors/collector.ts';
import { RecordingBase } from '#collectors/recording-base.ts';

test('lasts 0 s, not less, if it was stopped before the first data', async () => {
  let now = 1000;
  class Late extends RecordingBase {
    protected async record(): Promise<RecordingOutcome> {
      await Promise.resolve();
      now += 500;
      this.markBegin(null);
      return { state: 'finished', durationMs: this.elapsedMs } as RecordingOutcome;
    }
    protected end(): void {}
    protected counts() {
      return { samples: 0, lost: 0, bytes: 0, messages: [] };
    }
  }
  const recording = new Late({ now: Date.now, monotonic: () => now });
  await recording.stop();
  expect((await recording.outcome).durationMs).toBe(0);
});
