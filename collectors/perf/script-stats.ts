/** What the text of `perf script` says about its own quality, counted as it streams by. See core/import for the parser. */
export interface ScriptStats {
  readonly bytes: number;
  readonly samples: number;
  /** As perf says by `--show-lost-events`. */
  readonly lost: number;
  /** Of the first sample, with its modifiers (`cycles:u`); null without any. */
  readonly event: string | null;
  readonly frames: number;
  /** Frames without a symbol. */
  readonly unresolved: number;
  /** The same, by what perf printed as their module. At most {@link MAX_MODULES} modules. */
  readonly unresolvedByModule: ReadonlyMap<string, number>;
  /** Samples with at least one frame outside the kernel. */
  readonly userSamples: number;
  /** Of those, how many end nowhere: outside of any module, or after one or two frames without a function that starts threads. */
  readonly cutSamples: number;
  /** Of the first and last sample in the text, in seconds of perf's clock; null without any. */
  readonly times: { readonly first: number; readonly last: number } | null;
  /** Samples as deep as perf records (kernel.perf_event_max_stack, 127 by default). */
  readonly deepestSamples: number;
}

export interface ScriptStatsReader {
  push(chunk: Uint8Array): void;
  /** So far. */
  readonly counts: Pick<ScriptStats, 'bytes' | 'samples' | 'lost'>;
  finish(): ScriptStats;
}

const MAX_MODULES = 1000;
const MAX_STACK = 127;
const CUT_DEPTH = 2;
const NOWHERE = '';
/** What lies at an address that was no return address. */
const NO_CODE = /\((?:\[unknown\]|\[stack\]|\[heap\])\)$/;
/** A longer line is counted by its beginning. */
const MAX_LINE_BYTES = 64 * 1024;
/** Functions that threads start in. */
const THREAD_START =
  /^(?:_start|main|__libc_start\w*|start_thread|thread_start|_{0,2}clone3?|runtime\.(?:goexit|mstart|mcall|rt0_go|main)\b.*|\w*thread_native_entry\w*|JavaMain|ThreadJavaMain|execute_native_thread_routine|std::thread::.*)$/;

/** Frames begin with one; the first line of a sample without call graph, with blanks before the thread's name. */
const TAB = 0x09;
/** Of a sample's first line: time, period and event, whose name may hold colons. */
const SAMPLE = / (\d+\.\d+): (?: *\d+ +(\S+?):?\s*$)?/;
const RECORD = /: PERF_RECORD_(?:LOST\w*:? lost (\d+))?/;

export function readScriptStats(): ScriptStatsReader {
  const unresolvedByModule = new Map<string, number>();
  let [bytes, samples, lost, frames, unresolved, userSamples, cutSamples, deepestSamples] = [0, 0, 0, 0, 0, 0, 0, 0];
  let event: string | null = null;
  let depth = 0;
  let userDepth = 0;
  let outermost = '';
  let times: { first: number; last: number } | null = null;
  let line = Buffer.alloc(0);

  function endSample(): void {
    if (userDepth > 0) {
      userSamples += 1;
      if (outermost === NOWHERE || (userDepth <= CUT_DEPTH && !THREAD_START.test(outermost))) cutSamples += 1;
    }
    if (depth >= MAX_STACK) deepestSamples += 1;
    depth = 0;
    userDepth = 0;
  }

  function readFrame(text: Buffer): void {
    const frame = /^\s+([0-9a-f]+) (.*?)\r?$/.exec(text.toString('latin1'));
    if (frame === null) return;
    const [, address = '', rest = ''] = frame;
    frames += 1;
    depth += 1;
    const name = rest.startsWith('[unknown]') ? '[unknown]' : rest.replace(/\+0x[0-9a-f]+ \(.*$/, '');
    if (name === '[unknown]') {
      unresolved += 1;
      const module = rest.slice('[unknown] ('.length, -1);
      const known = unresolvedByModule.get(module);
      if (known !== undefined || unresolvedByModule.size < MAX_MODULES)
        unresolvedByModule.set(module, (known ?? 0) + 1);
    }
    // Kernel addresses are the upper half of the address space.
    if (address.length < 16 || !/^[89a-f]/.test(address)) {
      userDepth += 1;
      outermost = name === '[unknown]' && NO_CODE.test(rest) ? NOWHERE : name;
    }
  }

  function readLine(text: Buffer): void {
    const first = text[0];
    if (first === undefined || first === 0x0d) endSample();
    else if (first === TAB) readFrame(text);
    else if (first !== 0x23) {
      endSample();
      readHeading(text.toString('latin1'));
    }
  }

  function readHeading(heading: string): void {
    const record = RECORD.exec(heading);
    if (record !== null) {
      lost += Number(record[1] ?? 0);
      return;
    }
    samples += 1;
    const sample = SAMPLE.exec(heading);
    const time = Number(sample?.[1] ?? NaN);
    if (Number.isFinite(time)) times = { first: times?.first ?? time, last: time };
    event ??= sample?.[2] ?? null;
  }

  return {
    push(chunk) {
      bytes += chunk.length;
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let at = 0;
      for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10, at)) {
        const part = buffer.subarray(at, end);
        readLine(line.length === 0 ? part : Buffer.concat([line, part]));
        line = Buffer.alloc(0);
        at = end + 1;
      }
      if (at < buffer.length && line.length < MAX_LINE_BYTES) line = Buffer.concat([line, buffer.subarray(at)]);
    },
    get counts() {
      return { bytes, samples, lost };
    },
    finish() {
      if (line.length > 0) readLine(line);
      line = Buffer.alloc(0);
      endSample();
      return {
        bytes,
        samples,
        lost,
        event,
        frames,
        unresolved,
        unresolvedByModule,
        userSamples,
        cutSamples,
        times,
        deepestSamples,
      };
    },
  };
}
