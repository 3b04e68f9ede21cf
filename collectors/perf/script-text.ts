import type { CaptureSink } from '../collector.ts';
import type { Target } from '../target/target.ts';
import { createHeldCode } from './held-code.ts';
import { textWithoutLauncher, withoutLauncher } from './launcher-samples.ts';
import { PERF_RAW_FILE, TEXT_FILE } from './plan.ts';
import { scriptText, startLiveScript, type LiveScript } from './script-run.ts';
import { readScriptStats, type ScriptStats } from './script-stats.ts';
import type { CodeMapping } from './stream.ts';
import { messageOf } from '#core/model/failure.ts';

/** The text of a recording, which `perf script` makes of perf's stream. */
export interface ScriptText {
  start(): Promise<void>;
  push(chunk: Uint8Array): void;
  /** Notes a mapping in the bytes that `push` gets next. */
  noteMapping(mapping: CodeMapping): void;
  /** Resolves when the text in `sink` is final. `findJitMap` resolves with the path of the recorded process's map. */
  finish(sink: CaptureSink, findJitMap: () => Promise<string | null>): Promise<void>;
  readonly finishing: boolean;
  /** Why the text is incomplete; null if it is complete. */
  readonly failure: string | null;
  /** False if there is only perf's stream. */
  readonly isThere: boolean;
  /** Number of the launcher's samples, which only perf's stream contains. */
  readonly leftOut: number;
  /** See `FlowResult.unresolvedMaps`. */
  readonly unresolvedMaps: ReadonlySet<string>;
  /** Resolves when nothing runs, and nothing is held. */
  kill(): Promise<void>;
}

/** The second attempt is for a `perf script` that was killed. */
const ATTEMPTS = 2;

/**
 * Makes the text once the recording has ended: while it runs, `perf script` would cost several times as much. Mapped
 * files are held until then. `inject`: the command that first adds the code of dumps to the stream; without it, as in
 * the second attempt, compiled code has no callers.
 */
export function createTextAfterwards(
  target: Target,
  argv: readonly string[],
  inject: readonly string[] | null,
): ScriptText {
  const abort = new AbortController();
  const held = createHeldCode(target);
  let failure: string | null = null;
  let finishing = false;
  let isThere = false;
  let leftOut = 0;

  async function make(sink: CaptureSink, folder: string | null): Promise<void> {
    const paths = await held.prepare(folder);
    const stream = paths.stream(sink.read(PERF_RAW_FILE));
    const options = { signal: abort.signal, isBackground: true };
    const whole = folder === null || inject === null ? stream : scriptText(target, inject, stream, options);
    const printed = scriptText(target, argv, whole, options);
    await sink.replace(
      TEXT_FILE,
      textWithoutLauncher(paths.text(printed), (count) => (leftOut = count)),
    );
  }

  return {
    start: () => Promise.resolve(),
    push: () => {},
    noteMapping: (mapping) => held.note(mapping),
    async finish(sink) {
      finishing = true;
      for (let attempt = 0; attempt < ATTEMPTS && !isThere && !abort.signal.aborted; attempt++) {
        const isInjected = inject !== null && attempt === 0;
        const folder = isInjected ? await target.makeTempDir() : null;
        try {
          await make(sink, folder);
          isThere = true;
          failure = isInjected || inject === null ? null : `the callers of Python’s functions are missing: ${failure}`;
        } catch (error) {
          failure = messageOf(error);
        } finally {
          if (folder !== null) await target.removeTempDir(folder);
        }
      }
    },
    get finishing() {
      return finishing;
    },
    get failure() {
      return failure;
    },
    get isThere() {
      return isThere;
    },
    get leftOut() {
      return leftOut;
    },
    unresolvedMaps: new Set(),
    async kill() {
      abort.abort();
      await held.release();
    },
  };
}

/**
 * Makes the text during the recording, and again at the end if that gives a better result: if `perf script` died or was
 * too slow, or if a map now exists for code compiled at run time, which `perf script` reads only once, when it first
 * meets the process.
 */
export function createTextBeside(
  target: Target,
  argv: readonly string[],
  append: (chunk: Uint8Array) => Promise<void>,
): ScriptText {
  const abort = new AbortController();
  const reader = readScriptStats();
  const program = withoutLauncher();
  let live: LiveScript | null = null;
  let failure: string | null = null;
  let finishing = false;

  async function hasNewerMap(stats: ScriptStats, findJitMap: () => Promise<string | null>): Promise<boolean> {
    if (stats.unresolvedMaps.size === 0) return false;
    const jitMap = await findJitMap();
    for (const path of jitMap === null ? stats.unresolvedMaps : [jitMap, ...stats.unresolvedMaps]) {
      if ((await target.stat(path)) !== null) return true;
    }
    return false;
  }

  async function remake(sink: CaptureSink): Promise<void> {
    const text = scriptText(target, argv, sink.read(PERF_RAW_FILE), { signal: abort.signal });
    await sink.replace(TEXT_FILE, textWithoutLauncher(text));
  }

  return {
    async start() {
      const onText = async (chunk: Uint8Array): Promise<void> => {
        const text = program.push(chunk);
        reader.push(text);
        await append(text);
      };
      live = await startLiveScript(target, argv, onText);
    },
    push: (chunk) => live?.push(chunk),
    noteMapping: () => {},
    async finish(sink, findJitMap) {
      finishing = true;
      const end = await live?.end();
      await append(program.finish());
      if (end === undefined || abort.signal.aborted) return;
      if (end.complete && !(await hasNewerMap(reader.finish(), findJitMap))) return;
      try {
        await remake(sink);
      } catch (error) {
        if (!end.complete) failure = error instanceof Error ? error.message : end.message;
      }
    },
    get finishing() {
      return finishing;
    },
    isThere: true,
    get leftOut() {
      return program.leftOut;
    },
    get unresolvedMaps() {
      return reader.finish().unresolvedMaps;
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
