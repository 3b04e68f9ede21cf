import { NO_STACK, type FrameIndex, type StackIndex, type ThreadIndex } from '../../model/brand.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { memo } from '../../model/memo.ts';
import { ProfileBuilder, type ValueTypeKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine, type LineSession } from '../text/line-session.ts';
import { headLines, type TextLine } from '../text/text-lines.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/** Samples of Austin, the sampler of CPython, in its text format. */
export const austinImporter: Importer = {
  id: 'austin',
  label: 'Austin (Python)',
  extensions: ['austin', 'txt'],
  keeps:
    'stacks with files and lines that ran, processes and threads; wall or CPU time in microseconds, memory in bytes, all three of `--full`; interval, duration',
  loses: 'nothing; the format itself has no times of samples',
  differences: true,
  recognizedBy: 'the header `# austin: VERSION` above lines `P…;T…;file:function:line WEIGHT`',
  specification: 'https://github.com/P403n1x87/austin#basic-usage',
  sniff: sniffAustin,
  start: () => byLine(new AustinSession()),
};

const HEADER = /^# ([a-z_]+): ?(.*)$/;
/** `[P1234;][T[0:]5678|0x1f;]frames metrics`. */
const SAMPLE = /^(.*?) ?(-?\d{1,19}(?:,-?\d{1,19}){0,2})$/;
const PROCESS = /^(?:P|Process )(\d{1,9})$/;
const THREAD = /^(?:T|Thread )(?:\d+:)?(0x[0-9a-fA-F]{1,16}|[0-9a-fA-F]{1,20})$/;
const FRAME = /^(.*):([^:]*):(\d{1,9})$/;
const MAX_TID = 2 ** 31 - 1;

const WALL = { type: 'wall', unit: 'microseconds' };
const CPU = { type: 'cpu', unit: 'microseconds' };
const MEMORY = { type: 'memory', unit: 'bytes' };
/** `--full`: time, whether the thread was idle, and the change of memory. */
const FULL: readonly ValueTypeKey[] = [WALL, CPU, MEMORY];

const MODES: Readonly<Record<string, readonly ValueTypeKey[]>> = {
  wall: [WALL],
  cpu: [CPU],
  memory: [MEMORY],
  full: FULL,
};

function sniffAustin({ text, complete }: Head): SniffResult {
  const first = headLines(text, complete).find((line) => line.trim() !== '');
  return first !== undefined && /^# austin: \d/.test(first) ? 'yes' : 'no';
}

class AustinSession implements LineSession {
  readonly #builder = new ProfileBuilder(FULL.length);
  readonly #note = this.#builder.diagnostics.atLine;
  readonly #header = new Map<string, string>();
  readonly #frame = memo((text: string) => this.#makeFrame(text));

  finish(lastLine: number): Profile {
    if (this.#builder.sampleCount === 0) throw malformed('no line is a sample of Austin', lastLine);
    const interval = Number(this.#header.get('interval'));
    const duration = Number(this.#header.get('duration'));
    return this.#builder.finish(this.#valueTypes(), {
      format: 'austin',
      tool: 'austin',
      toolVersion: this.#header.get('austin') ?? null,
      rateHz: interval > 0 ? 1e6 / interval : null,
      durationNs: duration > 0 ? duration * 1000 : null,
    });
  }

  #valueTypes(): readonly ValueTypeKey[] {
    const mode = this.#header.get('mode') ?? 'wall';
    const types = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
    if (types === undefined) throw unsupported(`Austin’s mode ${JSON.stringify(mode.slice(0, 40))}`);
    return types;
  }

  line({ text, number }: TextLine): void {
    if (text.trim() === '') return;
    const [, key, value] = HEADER.exec(text) ?? [];
    if (key !== undefined) return this.#headerLine(key, value!.trim(), number);
    const [, path, metrics] = SAMPLE.exec(text) ?? [];
    if (path === undefined) return this.#note('skipped-line', 'Lines that are not samples were skipped.', number);
    const numbers = metrics!.split(',').map(Number);
    const isFull = this.#valueTypes() === FULL;
    if (numbers.length !== (isFull ? 3 : 1)) {
      const expected = isFull ? 'three numbers (time, idle, memory)' : 'one number';
      return this.#note('skipped-line', `Lines without ${expected} were skipped.`, number);
    }
    if (numbers.some((metric) => !Number.isSafeInteger(metric))) this.#note(...INEXACT_WEIGHT, number);
    const [time = 0, isIdle = 0, memory = 0] = numbers;
    const weights = isFull ? [time, isIdle === 0 ? time : 0, memory] : [time];
    this.#sample(path.split(';'), weights);
  }

  #headerLine(key: string, value: string, line: number): void {
    const mode = this.#header.get('mode');
    if (key === 'mode' && this.#builder.sampleCount > 0 && value !== (mode ?? 'wall')) {
      throw malformed('two recordings with different modes in one file; open each separately', line);
    }
    this.#header.set(key, value);
  }

  #sample(parts: readonly string[], weights: readonly number[]): void {
    let at = 0;
    const pid = PROCESS.exec(parts[at] ?? '')?.[1];
    if (pid !== undefined) at += 1;
    const threadId = THREAD.exec(parts[at] ?? '')?.[1];
    if (threadId !== undefined) at += 1;
    let stack: StackIndex = NO_STACK;
    for (; at < parts.length; at++) if (parts[at] !== '') stack = this.#builder.stack(stack, this.#frame(parts[at]!));
    this.#builder.sample({ stack, thread: this.#thread(pid, threadId) }, ...weights);
  }

  /** CPython's thread ids are pointers; an id that does not fit into 31 bits becomes the thread's name. */
  #thread(pid: string | undefined, id: string | undefined): ThreadIndex {
    const number = id === undefined ? -1 : Number(id);
    const fits = Number.isInteger(number) && number <= MAX_TID;
    return this.#builder.thread(pid === undefined ? -1 : Number(pid), fits ? number : -1, fits ? '' : `Thread ${id}`);
  }

  #makeFrame(text: string): FrameIndex {
    const [, file, name, digits] = FRAME.exec(text) ?? [];
    if (file === undefined) {
      const kind = /^:(?:GC|INVALID):$/.test(text) ? FunctionKind.synthetic : FunctionKind.unknown;
      return this.#builder.frame({ func: this.#builder.function({ name: text, kind }) });
    }
    const func = this.#builder.function({ name: name!, file, kind: FunctionKind.interpreted });
    return this.#builder.frame({ func, line: Number(digits) });
  }
}
