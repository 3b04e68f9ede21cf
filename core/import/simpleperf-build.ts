import {
  NO_STACK,
  type EventIndex,
  type FrameIndex,
  type FunctionIndex,
  type ThreadIndex,
  type ValueTypeIndex,
} from '../model/brand.ts';
import { demangle } from '../model/demangle.ts';
import { ImportFailure } from '../model/failure.ts';
import { ProfileBuilder, type FunctionKey } from '../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../model/profile.ts';
import { valueTypesOfEvents } from './perf-script-events.ts';
import { BYTES, VARINT, type WireReader } from './pprof-wire.ts';
import type { SimpleperfFile, SimpleperfRecords } from './simpleperf-records.ts';
import { diagnoseUnresolved } from './unresolved-frames.ts';

/** As many as a profile can have; simpleperf records a handful. */
const MAX_EVENTS = 255;
const UNKNOWN_EVENT = '(unknown event)';
/** Execution types of call chain entries: native, Java code interpreted or compiled, the runtime's own. */
const EXECUTION_TYPES = 4;
const INTERPRETED = 1;
const JIT = 2;
/** Files that hold Java code, compiled or not. */
const JAVA_FILE = /\.(?:oat|odex|vdex|dex|jar|apk)$|^\[JIT app cache\]$/;

interface Sample {
  time: bigint;
  tid: number;
  readonly leafFirst: FrameIndex[];
  eventCount: number;
  eventType: number;
  isUnwindError: boolean;
}

export function buildSimpleperf(records: SimpleperfRecords): Profile {
  return new SimpleperfBuild(records).build();
}

class SimpleperfBuild {
  readonly #records: SimpleperfRecords;
  readonly #builder = new ProfileBuilder(1);
  /** By file, then by symbol and execution type. */
  readonly #functions = new Map<number, Map<number, FunctionIndex>>();
  readonly #threads = new Map<number, ThreadIndex>();
  readonly #events: EventIndex[] = [];
  readonly #eventNames: string[] = [];
  readonly #used = new Set<number>();
  #origin: bigint | null = null;

  constructor(records: SimpleperfRecords) {
    this.#records = records;
    for (const name of records.meta.eventTypes.slice(0, MAX_EVENTS - 1)) this.#events.push(this.#event(name));
  }

  build(): Profile {
    const { meta, sampleCount } = this.#records;
    this.#refuseHalf();
    const [reader, entry] = [this.#records.reader(), this.#records.reader()];
    for (let row = 0; row < sampleCount; row++) this.#add(this.#read(this.#records.enterSample(reader, row), entry));
    this.#diagnose();
    const valueTypes = valueTypesOfEvents(this.#eventNames.map((name) => ({ name, hasPeriod: true })));
    const profile = this.#builder.finish(
      valueTypes.filter(({ event }) => this.#used.has(event)),
      {
        format: 'simpleperf',
        defaultValueType: 0 as ValueTypeIndex,
        tool: 'simpleperf',
        timeOrigin: this.#origin,
        comments: [
          ...(meta.appPackage === '' ? [] : [`App: ${meta.appPackage}`]),
          ...(meta.androidVersion === '' ? [] : [`Android API level: ${meta.androidVersion}`]),
        ],
      },
    );
    return diagnoseUnresolved(profile, 'Let simpleperf find symbols (--symdir), those of the kernel as root.');
  }

  /** Names and threads come last: without them nothing of a report is of use. */
  #refuseHalf(): void {
    const { bytes, isWhole, sampleCount, threads } = this.#records;
    if (!isWhole && threads.size === 0) {
      throw new ImportFailure('malformed', 'simpleperf: the report ends before its names and threads; copy it again', {
        byte: bytes.length,
      });
    }
    if (sampleCount === 0) {
      throw new ImportFailure('malformed', 'simpleperf: the report holds no samples; record again', {
        byte: bytes.length,
      });
    }
  }

  #read(reader: WireReader, entry: WireReader): Sample {
    const sample: Sample = { time: 0n, tid: -1, leafFirst: [], eventCount: 0, eventType: 0, isUnwindError: false };
    while (reader.next()) {
      const { field, type } = reader;
      if (field === 3 && type === BYTES) sample.leafFirst.push(this.#frame(entry.enter(reader.start, reader.stop)));
      else if (field === 6 && type === BYTES) sample.isUnwindError = true;
      else if (type !== VARINT) continue;
      else if (field === 1) sample.time = reader.unsigned;
      else if (field === 2) sample.tid = reader.low | 0;
      else if (field === 4) sample.eventCount = this.#count(reader);
      else if (field === 5) sample.eventType = reader.low;
    }
    return sample;
  }

  #count(reader: WireReader): number {
    const count = reader.unsigned;
    if (count > BigInt(Number.MAX_SAFE_INTEGER)) {
      this.#builder.diagnostics.add('inexact-weight', 'Weights beyond 2^53 are rounded to 53 significant bits.', {
        first: { byte: reader.offset },
      });
    }
    return Number(count);
  }

  #add({ time, tid, leafFirst, eventCount, eventType, isUnwindError }: Sample): void {
    this.#origin ??= time;
    const event = this.#events[eventType] ?? this.#event(UNKNOWN_EVENT);
    this.#used.add(event);
    if (isUnwindError) {
      this.#builder.diagnostics.add('unwinding-errors', 'Stacks could not be unwound to their end.', {
        remedy: 'Keep unwinding tables in the app’s libraries, or record with --call-graph fp.',
      });
    }
    const stack = this.#builder.stackOf(Int32Array.from(leafFirst), leafFirst.length);
    this.#builder.sample(
      {
        stack: leafFirst.length === 0 ? NO_STACK : stack,
        thread: this.#thread(tid),
        event,
        time: Number(time - this.#origin),
      },
      eventCount,
    );
  }

  #frame(entry: WireReader): FrameIndex {
    let [addressLow, addressHigh, fileId, symbol, execution] = [0, 0, 0, -1, 0];
    while (entry.next()) {
      const { field, type, low, high } = entry;
      if (type !== VARINT) continue;
      if (field === 1) [addressLow, addressHigh] = [low, high];
      else if (field === 2) fileId = low;
      else if (field === 3) symbol = low | 0;
      else if (field === 4) execution = low;
    }
    return this.#builder.frameAt(this.#function(fileId, symbol, execution), addressHigh, addressLow, false);
  }

  #function(fileId: number, symbol: number, execution: number): FunctionIndex {
    let functions = this.#functions.get(fileId);
    if (functions === undefined) this.#functions.set(fileId, (functions = new Map<number, FunctionIndex>()));
    const key = symbol * EXECUTION_TYPES + Math.min(execution, EXECUTION_TYPES - 1);
    const known = functions.get(key);
    if (known !== undefined) return known;
    const func = this.#builder.function(functionOf(this.#records.files.get(fileId), symbol, execution));
    functions.set(key, func);
    return func;
  }

  #thread(tid: number): ThreadIndex {
    const known = this.#threads.get(tid);
    if (known !== undefined) return known;
    const told = this.#records.threads.get(tid >>> 0);
    const thread = this.#builder.thread(told?.pid ?? -1, tid, told?.name ?? '');
    this.#threads.set(tid, thread);
    return thread;
  }

  #event(name: string): EventIndex {
    const event = this.#builder.event(name);
    this.#eventNames[event] = name;
    return event;
  }

  #diagnose(): void {
    const { diagnostics } = this.#builder;
    const { lostCount, contextSwitches, unknownRecords, isWhole, bytes } = this.#records;
    if (lostCount > 0) {
      diagnostics.add('lost-samples', 'simpleperf lost samples because its buffer was full.', {
        count: lostCount,
        remedy: 'Record at a lower rate (-f), or with larger buffers (-m).',
      });
    }
    if (contextSwitches > 0) {
      diagnostics.add('context-switches', 'Context switches are not shown.', {
        severity: 'info',
        count: contextSwitches,
      });
    }
    if (unknownRecords > 0) {
      diagnostics.add('unknown-record', 'Records of unknown kinds were skipped.', { count: unknownRecords });
    }
    if (!isWhole) {
      diagnostics.add('truncated-input', 'The report lacks its end mark: names may be missing.', {
        first: { byte: bytes.length },
        remedy: 'Copy the whole file.',
      });
    }
  }
}

function functionOf(file: SimpleperfFile | undefined, symbol: number, execution: number): FunctionKey {
  const path = file?.path ?? '';
  const name = file?.symbols[symbol] ?? '';
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') {
    return { name: base === '' ? '[unknown]' : bracketed(base), module: path, kind: FunctionKind.unresolved };
  }
  return { name: demangle(name) ?? name, module: path, kind: kindOf(path, execution) };
}

const bracketed = (text: string): string => (/^\[.*\]$/s.test(text) ? text : `[${text}]`);

/** Java's methods are one kind, however they ran: a function may be interpreted first and compiled later. */
function kindOf(path: string, execution: number): FunctionKind {
  if (path.startsWith('[kernel.kallsyms]') || path.endsWith('.ko')) return FunctionKind.kernel;
  if (execution === INTERPRETED || execution === JIT || JAVA_FILE.test(path)) return FunctionKind.jit;
  return FunctionKind.user;
}
