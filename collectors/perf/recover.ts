import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { messageOf } from '#core/model/failure.ts';
import type { CaptureSink, Recovery } from '../collector.ts';
import type { Target } from '../target/target.ts';
import { textWithoutLauncher } from './launcher-samples.ts';
import { PERF_RAW_FILE, scriptArgv, TEXT_FILE } from './plan.ts';
import { readBackPerf, readBackStream } from './read-back.ts';
import { scriptText } from './script-run.ts';
import { readScriptStats, type ScriptStats } from './script-stats.ts';
import { readPerfStream, wholeEvents } from './stream.ts';
import { createWholeSamples } from './whole-samples.ts';

/**
 * Makes the text of an interrupted recording, whose perf stream is on disk up to the last half second. Without
 * a target (names from this machine would be wrong), or if `perf script` fails, it keeps the text that had arrived, up
 * to a complete sample, or the stream alone if there is none. Repeatable.
 */
export async function recoverPerf(target: Target | null, sink: CaptureSink): Promise<Recovery> {
  const reader = readPerfStream();
  for await (const chunk of sink.read(PERF_RAW_FILE)) reader.push(chunk);
  const { samples, lost, bytes } = reader.counts;
  const stream = { samples, lost, bytes };
  const found = target === null ? await cutText(sink, samples) : await remade(target, sink, stream);
  const { quality, samples: readable } = await readBackPerf(sink, found.lost);
  if (readable > 0 || samples === 0) return { ...found, quality };
  const { spanMs } = await readBackStream(sink);
  const diagnostics = target === null ? [NO_NAMES] : found.diagnostics;
  return { samples, lost, durationMs: spanMs, diagnostics, quality: null, primaryFile: PERF_RAW_FILE, otherFiles: [] };
}

type RecoveredStream = Omit<Recovery, 'quality'>;

async function remade(
  target: Target,
  sink: CaptureSink,
  { samples, lost, bytes }: { readonly samples: number; readonly lost: number; readonly bytes: number },
): Promise<RecoveredStream> {
  if (bytes === 0) return { samples, lost, durationMs: null, diagnostics: [] };
  try {
    const stats = await remakeText(target, sink);
    return { samples, lost, durationMs: durationOf(stats), diagnostics: [] };
  } catch (error) {
    return { samples, lost, durationMs: null, diagnostics: [describeFailure(error)] };
  }
}

/** `recorded` is the number of samples in perf's stream, if that was kept. */
async function cutText(sink: CaptureSink, recorded: number): Promise<RecoveredStream> {
  const reader = readScriptStats();
  const whole = createWholeSamples();
  async function* text(): AsyncGenerator<Uint8Array> {
    for await (const chunk of sink.read(TEXT_FILE)) {
      const samples = whole.push(chunk);
      reader.push(samples);
      yield samples;
    }
  }
  await sink.replace(TEXT_FILE, text());
  const stats = reader.finish();
  const { samples, lost } = stats;
  const diagnostics = recorded > samples ? [describeRest(recorded - samples)] : [];
  return { samples, lost, durationMs: durationOf(stats), diagnostics };
}

const durationOf = ({ times }: ScriptStats): number | null =>
  times === null ? null : Math.round((times.last - times.first) * 1000);

async function remakeText(target: Target, sink: CaptureSink): Promise<ScriptStats> {
  const perfPath = await target.findExecutable('perf');
  if (perfPath === null) throw new Error('perf is not installed here');
  const stats = readScriptStats();
  async function* text(argv: readonly string[]): AsyncGenerator<Uint8Array> {
    for await (const chunk of textWithoutLauncher(scriptText(target, argv, wholeEvents(sink.read(PERF_RAW_FILE))))) {
      stats.push(chunk);
      yield chunk;
    }
  }
  await sink.replace(TEXT_FILE, text(scriptArgv(perfPath)));
  return stats.finish();
}

const describeRest = (count: number): Diagnostic =>
  diagnostic(
    'text-behind',
    'Samples at the end of the recording are only in perf’s raw stream: their text had not arrived.',
    {
      count,
      remedy: 'Read it again on the recorded host: Read with perf, or flamebench perf-script ID --target ssh://HOST.',
    },
  );

const NO_NAMES = diagnostic('no-text', 'Flamebench exited before perf script had looked up the names of functions.', {
  remedy: 'Read it on the recorded host: Read with perf, or flamebench perf-script ID.',
});

const describeFailure = (error: unknown): Diagnostic =>
  diagnostic('script-failed', `The end of the recording could not be turned into text: ${messageOf(error)}.`, {
    remedy: 'Read the raw stream again: Read with perf, or flamebench perf-script ID.',
  });
