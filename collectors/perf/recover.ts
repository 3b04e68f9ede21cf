import type { CaptureSink, Recovery } from '../collector.ts';
import type { Target } from '../target/target.ts';
import { RAW_FILE, scriptArgv, TEXT_FILE } from './plan.ts';
import { scriptText } from './script-run.ts';
import { readPerfStream } from './stream.ts';

/**
 * Makes the text of a recording that was cut off: perf's stream is on disk up to the last quarter of a second, the text that `perf
 * script` was making of it is behind. Can be repeated.
 */
export async function recoverPerf(target: Target, sink: CaptureSink): Promise<Recovery> {
  const reader = readPerfStream();
  for await (const chunk of sink.read(RAW_FILE)) reader.push(chunk);
  const { samples, lost, bytes } = reader.counts;
  if (bytes === 0) return { samples, lost, diagnostics: [] };
  const perfPath = await target.findExecutable('perf');
  const failure =
    perfPath === null
      ? 'perf is not installed here'
      : await sink.replace(TEXT_FILE, scriptText(target, scriptArgv(perfPath), sink.read(RAW_FILE))).then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
  if (failure === null) return { samples, lost, diagnostics: [] };
  const diagnostic = {
    code: 'script-failed',
    severity: 'warning',
    message: `The end of the recording could not be turned into text: ${failure}.`,
    count: 1,
    first: null,
    remedy: `perf’s own stream is in the capture’s folder: perf script -i ${RAW_FILE} reads it.`,
  } as const;
  return { samples, lost, diagnostics: [diagnostic] };
}
