import type { CaptureSink } from '../collector.ts';
import type { Target } from '../target/target.ts';
import { RAW_FILE, TEXT_FILE } from './plan.ts';
import { scriptText, startLiveScript, type LiveScript } from './script-run.ts';
import { readScriptStats, type ScriptStats } from './script-stats.ts';

/** The text of a recording: made while it runs, and once more at the end where that is better. */
export interface ScriptText {
  start(): Promise<void>;
  push(chunk: Uint8Array): void;
  /**
   * Resolves when the text in `sink` is as good as it gets. It is made anew from perf's stream where `perf script` died or was too slow,
   * and where code compiled at run time has a map now: `perf script` reads a map once, when it first meets the process.
   */
  finish(sink: CaptureSink, jitMap: string | null): Promise<void>;
  readonly finishing: boolean;
  /** Why the text is not complete; null where it is. */
  readonly failure: string | null;
  /** Resolves when nothing of it runs. */
  kill(): Promise<void>;
}

export function createScriptText(
  target: Target,
  argv: readonly string[],
  append: (chunk: Uint8Array) => Promise<void>,
): ScriptText {
  const abort = new AbortController();
  const reader = readScriptStats();
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
    await sink.replace(TEXT_FILE, scriptText(target, argv, sink.read(RAW_FILE), abort.signal));
  }

  return {
    async start() {
      live = await startLiveScript(target, argv, async (chunk) => {
        reader.push(chunk);
        await append(chunk);
      });
    },
    push: (chunk) => live?.push(chunk),
    async finish(sink, jitMap) {
      finishing = true;
      const end = await live?.end();
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
    get failure() {
      return failure;
    },
    async kill() {
      abort.abort();
      await live?.kill();
    },
  };
}
