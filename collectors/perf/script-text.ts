import type { CaptureSink } from '../collector.ts';
import type { Target } from '../target/target.ts';
import { textWithoutLauncher, withoutLauncher } from './launcher-samples.ts';
import { PERF_RAW_FILE, TEXT_FILE } from './plan.ts';
import { scriptText, startLiveScript, type LiveScript } from './script-run.ts';
import { readScriptStats, type ScriptStats } from './script-stats.ts';

/** The text of a recording: made while it runs, and again at the end if that gives a better result. */
export interface ScriptText {
  start(): Promise<void>;
  push(chunk: Uint8Array): void;
  /**
   * Resolves when the text in `sink` is final. Recreates it from perf's stream if `perf script` died or was too slow,
   * or if a map now exists for code compiled at run time: `perf script` reads a map only once, when it first meets the
   * process.
   */
  finish(sink: CaptureSink, jitMap: string | null): Promise<void>;
  readonly finishing: boolean;
  /** Why the text is incomplete; null if it is complete. */
  readonly failure: string | null;
  /** Samples of the launcher's, which are in perf's stream alone. */
  readonly leftOut: number;
  /** Resolves when nothing runs. */
  kill(): Promise<void>;
}

export function createScriptText(
  target: Target,
  argv: readonly string[],
  append: (chunk: Uint8Array) => Promise<void>,
  { isWatched = false }: { readonly isWatched?: boolean } = {},
): ScriptText {
  const abort = new AbortController();
  const reader = readScriptStats();
  const program = withoutLauncher();
  let live: LiveScript | null = null;
  let failure: string | null = null;
  let finishing = false;

  async function hasNewerMap(stats: ScriptStats, jitMap: string | null): Promise<boolean> {
    if (stats.unresolvedMaps.size === 0) return false;
    for (const path of jitMap === null ? stats.unresolvedMaps : [jitMap, ...stats.unresolvedMaps]) {
      if ((await target.stat(path)) !== null) return true;
    }
    return false;
  }

  async function remake(sink: CaptureSink): Promise<void> {
    await sink.replace(
      TEXT_FILE,
      textWithoutLauncher(scriptText(target, argv, sink.read(PERF_RAW_FILE), abort.signal)),
    );
  }

  return {
    async start() {
      const onText = async (chunk: Uint8Array): Promise<void> => {
        const text = program.push(chunk);
        reader.push(text);
        await append(text);
      };
      live = await startLiveScript(target, argv, onText, { isWatched });
    },
    push: (chunk) => live?.push(chunk),
    async finish(sink, jitMap) {
      finishing = true;
      const end = await live?.end();
      await append(program.finish());
      if (end === undefined || abort.signal.aborted) return;
      if (end.complete && !(await hasNewerMap(reader.finish(), jitMap))) return;
      try {
        await remake(sink);
      } catch (error) {
        if (!end.complete) failure = error instanceof Error ? error.message : end.message;
      }
    },
    get finishing() {
      return finishing;
    },
    get leftOut() {
      return program.leftOut;
    },
    get failure() {
      return failure;
    },
    async kill() {
      abort.abort();
      await live?.kill();
    },
  };
}
