import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { commandsOf, commandStep, type CaptureSink } from '#collectors/collector.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { mounting, mountTmpfs } from '../../app/engine/support/temp-folder.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
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

describe('failures', () => {
  test('perf can’t be started', async () => {
    const plan = await planFor(pidScope(startBusy().pid));
    const commands = [['/nonexistent/perf', 'record'], commandsOf(plan)[1]!];
    const { recording } = start({ ...plan, steps: commands.map(commandStep) });
    expect(await recording.outcome).toMatchObject({
      state: 'failed',
      error: { code: 'perf-missing', remedy: expect.stringContaining('install perf') },
    });
  });

  test('perf fails immediately', async () => {
    const plan = await planFor(pidScope(startBusy().pid));
    const record = commandsOf(plan)[0]!.with(5, 'no-such-event');
    const { recording } = start({ ...plan, steps: [record, commandsOf(plan)[1]!].map(commandStep) });
    expect(await recording.outcome).toMatchObject({ state: 'failed', error: { code: 'unknown-event' } });
  });

  test('kill -9 of perf keeps everything except the last moment', async () => {
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

  test('a perf that does not stop is killed after 8 s, multiplied by the target’s slowness', async () => {
    const plan = await planFor(pidScope(startBusy().pid));
    const stuck = ['sh', '-c', 'trap "" INT; exec sleep 60'];
    const hurried = { ...target, slowness: () => 0.1 };
    const steps = [stuck, commandsOf(plan)[1]!].map(commandStep);
    const recording = perfCollector.start(hurried, { ...plan, steps }, new MemorySink(), clock);
    await sleep(500);
    const asked = performance.now();
    await recording.stop();
    expect(performance.now() - asked).toBeLessThan(6000);
    const outcome = await recording.outcome;
    expect(outcome.exit).toEqual({ code: null, signal: 'SIGKILL' });
    expect(codesOf(outcome)).toContain('killed');
  });

  test('the text is made again if perf script dies', async () => {
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

  test('the text is made without callers of compiled code if perf inject fails, and the capture says so', async () => {
    const plan = await planFor({ ...pidScope(startBusy().pid), seconds: 1 });
    const [record, script] = commandsOf(plan);
    const inject = ['sh', 'inject', '-c', 'true'];
    const { recording, sink } = start({ ...plan, steps: [record!, inject, script!].map(commandStep) });
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', primaryFile: 'raw.perf-script.txt' });
    expect(outcome.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'script-failed',
        message: expect.stringMatching(/callers of Python’s functions are missing: perf inject ended early/),
      }),
    );
    expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
  });

  test('the stream is kept if perf script always dies, and the capture says so', async () => {
    const plan = await planFor({ ...pidScope(startBusy().pid), seconds: 0.5 });
    const commands = [commandsOf(plan)[0]!, ['sh', '-c', 'echo broken >&2; head -c 1000 > /dev/null; exit 1']];
    const { recording, sink } = start({ ...plan, steps: commands.map(commandStep) });
    const outcome = await recording.outcome;
    expect(outcome.state).toBe('finished');
    expect(outcome.diagnostics[0]).toMatchObject({ code: 'script-failed', message: expect.stringContaining('broken') });
    expect(outcome).toMatchObject({ primaryFile: 'raw.perf.data', otherFiles: [], quality: null });
    expect(sink.files.get('raw.perf.data')!.length).toBeGreaterThan(3000);
    expect(outcome.samples).toBe(await countInStream(sink));
  });

  test('data that fitted is kept if the disk fills', async () => {
    const plan = await planFor(pidScope(startBusy().pid));
    const { recording, sink } = start(plan, new MemorySink(20_000));
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
    expect(codesOf(outcome)[0]).toBe('disk-full');
    expect(outcome.diagnostics[0]?.remedy).toBeTruthy();
    expect(sink.files.get('raw.perf.data')!.length).toBeGreaterThan(5000);
    expect(outcome.primaryFile).toBe('raw.perf.data');
    expect(outcome.samples).toBe(await countInStream(sink));
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

/** A disk that needs 20 ms for each write. */
class SlowSink extends MemorySink {
  override async append(fileName: string, bytes: Uint8Array): Promise<void> {
    await sleep(20);
    await super.append(fileName, bytes);
  }
}

describe('after a crash', () => {
  test('completes the text from perf’s stream', async () => {
    const { outcome, sink } = await recordSamples(pidScope(startBusy().pid), 60);
    const whole = sink.text('raw.perf-script.txt');
    // Imitates kill -9: the text is behind, and the stream ends within an event.
    const stream = sink.files.get('raw.perf.data')!;
    sink.files.set('raw.perf-script.txt', sink.files.get('raw.perf-script.txt')!.subarray(0, 1000));
    sink.files.set('raw.perf.data', stream.subarray(0, stream.length - 20));

    const recovery = await perfCollector.recover(target, sink);
    expect(recovery.diagnostics).toEqual([]);
    expect(recovery.durationMs).toBeGreaterThan(100);
    expect(recovery.durationMs).toBeLessThan(outcome.durationMs! + 500);
    expect(outcome.samples - recovery.samples).toBeLessThanOrEqual(1);
    const text = sink.text('raw.perf-script.txt');
    expect(countSamples(text)).toBe(recovery.samples);
    // The cut-off event is the last in the stream but not always the latest, because the process may have moved to
    // another CPU.
    const completed = samplesOf(text);
    expect(samplesOf(whole).filter((sample) => completed.includes(sample))).toEqual(completed);
    expect(await perfCollector.recover(target, sink)).toEqual(recovery);
  });

  test('cuts another machine’s text to complete samples, and reports what only perf’s stream has', async () => {
    const { outcome, sink } = await recordSamples(pidScope(startBusy().pid), 60);
    const whole = sink.files.get('raw.perf-script.txt')!;
    sink.files.set('raw.perf-script.txt', whole.subarray(0, whole.length / 2));
    const recovery = await perfCollector.recover(null, sink);
    const text = sink.text('raw.perf-script.txt');
    expect(countSamples(text)).toBe(recovery.samples);
    expect(text).toMatch(/\n\n$/);
    expect(recovery.samples).toBeLessThan(outcome.samples);
    expect(recovery.diagnostics).toMatchObject([{ code: 'text-behind', count: outcome.samples - recovery.samples }]);
    const stream = sink.files.get('raw.perf.data')!;
    sink.files.delete('raw.perf.data');
    expect(await perfCollector.recover(null, sink)).toEqual({ ...recovery, diagnostics: [] });

    const without = new MemorySink();
    await without.append('raw.perf.data', stream);
    const { samples, primaryFile, otherFiles, diagnostics } = await perfCollector.recover(null, without);
    expect({ samples, primaryFile, otherFiles }).toEqual({
      samples: outcome.samples,
      primaryFile: 'raw.perf.data',
      otherFiles: [],
    });
    expect(diagnostics).toMatchObject([{ code: 'no-text', remedy: expect.stringContaining('perf-script ID') }]);
  });

  test('has nothing to complete without data', async () => {
    expect(await perfCollector.recover(target, new MemorySink())).toEqual({
      samples: 0,
      lost: 0,
      durationMs: null,
      diagnostics: [],
      quality: null,
    });
  });

  test('leaves the text unchanged if perf can’t read the stream, and says so', async () => {
    const sink = new MemorySink();
    await sink.append('raw.perf.data', new TextEncoder().encode('not perf at all'));
    await sink.append('raw.perf-script.txt', new TextEncoder().encode('text'));
    const { diagnostics } = await perfCollector.recover(target, sink);
    expect(diagnostics.map(({ code }) => code)).toEqual(['script-failed']);
    expect(sink.text('raw.perf-script.txt')).toBe('text');
  });
});

async function countInStream(sink: MemorySink): Promise<number> {
  const source = { fileName: 'raw.perf.data', size: null, chunks: () => sink.read('raw.perf.data') };
  return (await importProfile(source)).samples.length;
}

function samplesOf(text: string): string[] {
  return text.split('\n\n').flatMap((sample) => (sample.trim() === '' ? [] : [sample.trim()]));
}

/** Writes to files in a real folder. */
function folderSink(path: string): CaptureSink {
  return {
    append: (fileName, bytes) => appendFile(join(path, fileName), bytes),
    read: (fileName) => createReadStream(join(path, fileName)),
    replace: () => Promise.reject(new Error('not in this test')),
  };
}

needing(mounting, () => {
  test('keeps what fitted on a full disk, with one line and a remedy', async () => {
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
    expect(outcome).toMatchObject({ primaryFile: 'raw.perf.data', otherFiles: [] });
    expect(outcome.samples).toBeGreaterThan(5);
  });
});
