import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RecordingOutcome } from '#collectors/collector.ts';
import { endStartedProcesses, startReady } from '../../support/busy-process.ts';
import { compileBurst } from '../../support/burst-program.ts';
import { checkPerfEnds, commandScope, pidScope, planFor, start } from '../../support/perf-recording.ts';

const folder = mkdtempSync(join(tmpdir(), 'missed-time-'));
const burst = compileBurst(folder);
endStartedProcesses();
checkPerfEnds();
afterAll(() => rmSync(folder, { recursive: true }));

const RATE = { rateHz: 99, seconds: 2 };

function expectMissed({ samples, lost, cpuSeconds, quality, diagnostics }: RecordingOutcome): void {
  const used = cpuSeconds!.end - cpuSeconds!.start;
  expect(used).toBeGreaterThan(0.25);
  expect(samples + lost).toBe(Math.round(used * RATE.rateHz));
  expect(samples).toBeLessThan(lost);
  expect(quality).toMatchObject({ grade: 'poor' });
  expect(quality!.lost).toBeCloseTo(lost / (samples + lost));
  expect(diagnostics.map(({ code }) => code)).not.toContain('no-samples');
  expect(diagnostics[0]).toMatchObject({
    code: 'cpu-time-missed',
    count: lost,
    message: `perf sampled ${(samples / RATE.rateHz).toFixed(2)} s of CPU time (${samples} sample${samples === 1 ? '' : 's'} at 99 Hz), but the process used ${used.toFixed(2)} s: the rest is missing.`,
    remedy: expect.stringContaining('--system'),
  });
}

test('says how much CPU time of threads that run only briefly has no samples, during the recording and after', async () => {
  const { pid } = await startReady(burst, []);
  const { recording } = start(await planFor({ ...pidScope(pid), ...RATE }));
  const told = new Set<string>();
  recording.onProgress(({ missed }) => missed !== undefined && told.add(missed.message.slice(0, 12)));
  expectMissed(await recording.outcome);
  expect([...told]).toEqual(['perf sampled']);
});

test('counts the CPU time of the processes that a command starts, while they run and after', async () => {
  const counted = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done';
  const script = `sh -c '${counted}'; ${burst} & ${burst}; :`;
  const { recording } = start(await planFor({ ...commandScope('sh', '-c', script), ...RATE, seconds: 3 }));
  const { cpuSeconds, samples, lost, diagnostics } = await recording.outcome;
  expect(cpuSeconds!.start).toBe(0);
  // The shell itself uses a few milliseconds.
  expect(cpuSeconds!.end).toBeGreaterThan(0.25);
  if (lost > 0) expect(diagnostics[0]).toMatchObject({ code: 'cpu-time-missed', count: lost });
  expect((samples + lost) / RATE.rateHz).toBeLessThan(cpuSeconds!.end * 1.3 + 0.2);
});
