import { createReadStream, mkdtempSync, rmSync, statSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commandsOf, commandStep, type CaptureSink } from '#collectors/collector.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { mounting, mountTmpfs } from '../../app/engine/support/temp-folder.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
import { readPerfScript } from '../../support/perf-script-text.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import {
  checkPerfEnds,
  clock,
  codesOf,
  countSamples,
  lastSampleSeconds,
  perfChildren,
  pidScope,
  planFor,
  RATE,
  recordSamples,
  start,
  target,
  untilSamples,
  uptimeSeconds,
} from '../../support/perf-recording.ts';

const folder = mkdtempSync(join(tmpdir(), 'perf-failures-'));
endStartedProcesses();
checkPerfEnds();
afterAll(() => rmSync(folder, { recursive: true }));

describe('what can go wrong', () => {
  test('perf can’t be started', async () => {
    const plan = await planFor(pidScope(startBusy().pid));
    const commands = [['/nonexistent/perf', 'record'], commandsOf(plan)[1]!];
    const { recording } = start({ ...plan, steps: commands.map(commandStep) });
    expect(await recording.outcome).toMatchObject({
      state: 'failed',
      error: { code: 'perf-missing', remedy: expect.stringContaining('install perf') },
    });
  });

  test('perf fails at once', async () => {
    const plan = await planFor(pidScope(startBusy().pid));
    const record = commandsOf(plan)[0]!.with(5, 'no-such-event');
    const { recording } = start({ ...plan, steps: [record, commandsOf(plan)[1]!].map(commandStep) });
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'unknown-event' } });
  });

  test('kill -9 of perf: all but the last moment is there', async () => {
    const busy = startBusy();
    const { recording, sink } = start(await planFor(pidScope(busy.pid)));
    await untilSamples(recording, RATE);
    const [perf = 0] = perfChildren('perf record');
    process.kill(perf, 'SIGKILL');
    const killedAt = uptimeSeconds();
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: true, exit: { signal: 'SIGKILL' } });
    expect(codesOf(outcome)).toEqual(['collector-killed']);
    const text = sink.text(outcome.primaryFile);
    expect(countSamples(text)).toBe(outcome.samples);
    expect(killedAt - lastSampleSeconds(text)).toBeLessThan(1);
  });

  test('perf script dies: the text is made again at the end', async () => {
    const plan = await planFor({ ...pidScope(startBusy().pid), seconds: 1 });
    const marker = join(folder, 'second-time');
    const script = `if [ -e ${marker} ]; then exec "$0" "$@"; fi; : > ${marker}; head -c 5000 > /dev/null; exit 1`;
    const commands = [commandsOf(plan)[0]!, ['sh', '-c', script, ...commandsOf(plan)[1]!]];
    const { recording, sink } = start({ ...plan, steps: commands.map(commandStep) });
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false });
    expect(codesOf(outcome)).toEqual([]);
    expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
  });

  test('perf script always dies: the stream is kept, and the capture says so', async () => {
    const plan = await planFor({ ...pidScope(startBusy().pid), seconds: 0.5 });
    const commands = [commandsOf(plan)[0]!, ['sh', '-c', 'echo broken >&2; head -c 1000 > /dev/null; exit 1']];
    const { recording, sink } = start({ ...plan, steps: commands.map(commandStep) });
    const outcome = await recording.outcome;
    expect(outcome.state).toBe('finished');
    expect(outcome.diagnostics[0]).toMatchObject({ code: 'script-failed', message: expect.stringContaining('broken') });
    expect(sink.files.get('raw.perf.data')!.length).toBeGreaterThan(3000);
  });

  test('the disk fills: what fitted is kept', async () => {
    const plan = await planFor(pidScope(startBusy().pid));
    const { recording, sink } = start(plan, new MemorySink(20_000));
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
    expect(codesOf(outcome)[0]).toBe('disk-full');
    expect(outcome.diagnostics[0]?.remedy).toBeTruthy();
    expect(sink.files.get('raw.perf.data')!.length).toBeGreaterThan(5000);
    expect(outcome.samples).toBe(readPerfScript(sink.text('raw.perf-script.txt')).samples.length);
    expect(outcome.diagnostics[0]?.message).toMatch(
      /^Kept \d+\.\d s \(\d+ samples?\) of \d+\.\d s; the rest is lost: /,
    );

    const none = await start(plan, new MemorySink(0)).recording.outcome;
    expect(none).toMatchObject({ state: 'failed', error: { code: 'disk-full' } });
  });

  test('a slow disk loses nothing', async () => {
    const { recording, sink } = start(await planFor({ ...pidScope(startBusy().pid), seconds: 1 }), new SlowSink());
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', lost: 0 });
    expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
  });
});

/** A disk that takes 20 ms for each write. */
class SlowSink extends MemorySink {
  override async append(fileName: string, bytes: Uint8Array): Promise<void> {
    await sleep(20);
    await super.append(fileName, bytes);
  }
}

describe('after a crash', () => {
  test('the text is completed from perf’s stream', async () => {
    const { outcome, sink } = await recordSamples(pidScope(startBusy().pid), 60);
    const whole = sink.text('raw.perf-script.txt');
    // As after kill -9: the text is behind, the stream ends in the middle of an event.
    const stream = sink.files.get('raw.perf.data')!;
    sink.files.set('raw.perf-script.txt', sink.files.get('raw.perf-script.txt')!.subarray(0, 1000));
    sink.files.set('raw.perf.data', stream.subarray(0, stream.length - 20));

    const recovery = await perfCollector.recover(target, sink);
    expect(recovery.diagnostics).toEqual([]);
    expect(recovery.durationMs).toBeGreaterThan(100);
    expect(recovery.durationMs).toBeLessThan(outcome.durationMs + 500);
    expect(outcome.samples - recovery.samples).toBeLessThanOrEqual(1);
    const text = sink.text('raw.perf-script.txt');
    expect(countSamples(text)).toBe(recovery.samples);
    // The event that is cut off is the last in the stream, not always in time: the process may have changed its processor.
    const completed = samplesOf(text);
    expect(samplesOf(whole).filter((sample) => completed.includes(sample))).toEqual(completed);
    expect(await perfCollector.recover(target, sink)).toEqual(recovery);
  });

  test('of another machine, the text is cut to whole samples; what perf’s stream has beyond is said', async () => {
    const { outcome, sink } = await recordSamples(pidScope(startBusy().pid), 60);
    const whole = sink.files.get('raw.perf-script.txt')!;
    sink.files.set('raw.perf-script.txt', whole.subarray(0, whole.length / 2));
    const recovery = await perfCollector.recover(null, sink);
    const text = sink.text('raw.perf-script.txt');
    expect(countSamples(text)).toBe(recovery.samples);
    expect(text).toMatch(/\n\n$/);
    expect(recovery.samples).toBeLessThan(outcome.samples);
    expect(recovery.diagnostics).toMatchObject([{ code: 'text-behind', count: outcome.samples - recovery.samples }]);
    sink.files.delete('raw.perf.data');
    expect(await perfCollector.recover(null, sink)).toEqual({ ...recovery, diagnostics: [] });
  });

  test('without any data there is nothing to complete', async () => {
    expect(await perfCollector.recover(target, new MemorySink())).toEqual({
      samples: 0,
      lost: 0,
      durationMs: null,
      diagnostics: [],
      quality: null,
    });
  });

  test('a stream that perf can’t read leaves the text as it was, and says so', async () => {
    const sink = new MemorySink();
    await sink.append('raw.perf.data', new TextEncoder().encode('not perf at all'));
    await sink.append('raw.perf-script.txt', new TextEncoder().encode('text'));
    const { diagnostics } = await perfCollector.recover(target, sink);
    expect(diagnostics.map(({ code }) => code)).toEqual(['script-failed']);
    expect(sink.text('raw.perf-script.txt')).toBe('text');
  });
});

function samplesOf(text: string): string[] {
  return text.split('\n\n').flatMap((sample) => (sample.trim() === '' ? [] : [sample.trim()]));
}

/** Files in a real folder. */
function folderSink(path: string): CaptureSink {
  return {
    append: (fileName, bytes) => appendFile(join(path, fileName), bytes),
    read: (fileName) => createReadStream(join(path, fileName)),
    replace: () => Promise.reject(new Error('not in this test')),
  };
}

needing(mounting, () => {
  test('a disk that is really full: what fitted is kept, in one line with a remedy', async () => {
    const path = mountTmpfs(128 << 10);
    const plan = await planFor({ ...pidScope(startBusy().pid), rateHz: 1999 });
    const outcome = await perfCollector.start(target, plan, folderSink(path), clock).outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
    expect(outcome.diagnostics[0]).toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining('the disk is full'),
      remedy: expect.any(String),
    });
    expect(statSync(join(path, 'raw.perf.data')).size).toBeGreaterThan(10_000);
    const text = readFileSync(join(path, 'raw.perf-script.txt'), 'utf8');
    expect(outcome.samples).toBe(readPerfScript(text).samples.length);
  });
});
