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
  stats(): ScriptStats;
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
  let counted: ScriptStats | null = null;
  let failure: string | null = null;
  let finishing = false;

  async function hasNewerMap(stats: ScriptStats, jitMap: string | null): Promise<boolean> {
    const maps = [...stats.unresolvedByModule.keys()].filter((module) => /\/perf-\d+\.map$/.test(module)).slice(0, 50);
    if (maps.length === 0) return false;
    for (const path of jitMap === null ? maps : [jitMap, ...maps]) {
      if ((await target.stat(path)) !== null) return true;
    }
    return false;
  }

  async function remake(sink: CaptureSink): Promise<void> {
    const again = readScriptStats();
    async function* text(): AsyncGenerator<Uint8Array> {
      for await (const chunk of scriptText(target, argv, sink.read(RAW_FILE), abort.signal)) {
        again.push(chunk);
        yield chunk;
      }
    }
    await sink.replace(TEXT_FILE, text());
    counted = again.finish();
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
      counted = reader.finish();
      if (end === undefined || abort.signal.aborted) return;
      if (end.complete && !(await hasNewerMap(counted, jitMap))) return;
      try {
        await remake(sink);
      } catch (error) {
        if (!end.complete) failure = error instanceof Error ? error.message : end.message;
      }
    },
    get finishing() {
      return finishing;
    },
    stats: () => (counted ??= reader.finish()),
    get failure() {
      return failure;
    },
    async kill() {
      abort.abort();
      await live?.kill();
    },
  };
}
