import { NO_STACK, type StackIndex, type ThreadIndex } from '../../model/brand.ts';
import { ImportFailure, malformed, unsupported } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile, ValueType } from '../../model/profile.ts';
import { kindOfModule, unresolvedFunction } from '../../symbols/perf-modules.ts';
import type { TraceEvent } from '../chrome-trace/event.ts';
import { traceSpans } from '../chrome-trace/spans.ts';
import type { ImportSession } from '../importer.ts';
import { FrameBudget } from '../stacks/frame-budget.ts';
import { OpenSpans } from '../stacks/open-spans.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import { Message, packetsOf } from './message.ts';
import { Sequence, SharedClocks } from './sequence.ts';

/** Fields of TracePacket. */
const PACKET = {
  processTree: 2,
  clockSnapshot: 6,
  timestamp: 8,
  sequence: 10,
  trackEvent: 11,
  internedData: 12,
  flags: 13,
  isCleared: 41,
  isPreviousDropped: 42,
  threadDescriptor: 44,
  compressed: 50,
  clockId: 58,
  defaults: 59,
  trackDescriptor: 60,
  perfSample: 66,
} as const;
const READ: readonly number[] = [
  PACKET.processTree,
  PACKET.clockSnapshot,
  PACKET.trackEvent,
  PACKET.internedData,
  PACKET.threadDescriptor,
  PACKET.defaults,
  PACKET.trackDescriptor,
  PACKET.perfSample,
];
const [BEGIN, END] = [1, 2];

interface Sample {
  readonly stack: StackIndex;
  readonly pid: number;
  readonly tid: number;
  readonly cpu: number;
  /** Boot time, in nanoseconds. */
  readonly time: bigint;
}

interface Slice {
  readonly phase: 'B' | 'E' | 'X';
  readonly name: string | undefined;
  readonly time: bigint;
  readonly duration: number;
}

interface Track {
  readonly name: string;
  readonly parent: bigint | undefined;
  readonly process: { readonly pid: number; readonly name: string } | null;
  readonly thread: { readonly pid: number; readonly tid: number; readonly name: string } | null;
}

export class PerfettoSession implements ImportSession {
  readonly #collector = new ByteCollector('a trace of Perfetto');
  readonly #builder = new ProfileBuilder(1);
  readonly #sequences = new Map<bigint, Sequence>();
  readonly #clocks = new SharedClocks();
  readonly #tracks = new Map<bigint, Track>();
  readonly #threadNames = new Map<number, string>();
  readonly #processNames = new Map<number, string>();
  readonly #samples: Sample[] = [];
  readonly #slices = new Map<string, Slice[]>();
  #budget = new FrameBudget(0, 'record for a shorter time');
  #hasPackets = false;

  push(chunk: Uint8Array): void {
    this.#collector.push(chunk);
  }

  finish(): Profile {
    const bytes = this.#collector.finish();
    this.#budget = new FrameBudget(bytes.length, 'record for a shorter time');
    for (const part of packetsOf(bytes)) {
      this.#hasPackets = true;
      try {
        this.#packet(new Message(bytes, part));
      } catch (error) {
        if (!(error instanceof ImportFailure) || error.failure !== 'malformed') throw error;
        this.#builder.diagnostics.add('skipped-records', 'Packets that are damaged were skipped.', {
          first: { byte: part.start },
        });
      }
    }
    if (!this.#hasPackets) throw malformed('the trace has no packet', { byte: 0 });
    return this.#build();
  }

  #packet(packet: Message): void {
    if (packet.has(PACKET.compressed)) {
      throw unsupported('compressed packets; run `traceconv decompress_packets FILE OUTPUT` and open OUTPUT');
    }
    const id = packet.number(PACKET.sequence) ?? 0n;
    const sequence = this.#sequences.get(id) ?? new Sequence();
    this.#sequences.set(id, sequence);
    if (packet.number(PACKET.isCleared) === 1n || ((packet.number(PACKET.flags) ?? 0n) & 1n) === 1n) sequence.clear();
    if (packet.number(PACKET.isPreviousDropped) === 1n && packet.number(PACKET.isCleared) !== 1n) {
      this.#builder.diagnostics.add('lost-data', 'Packets were lost because a buffer of the trace was full.', {
        remedy: 'Record with larger buffers (size_kb).',
      });
    }
    const defaults = packet.message(PACKET.defaults);
    if (defaults !== undefined) {
      sequence.defaultClock = defaults.number(58);
      sequence.defaultTrack = defaults.message(11)?.number(11);
    }
    const data = packet.message(PACKET.internedData);
    if (data !== undefined) sequence.intern(data);
    const clocks = packet.message(PACKET.clockSnapshot)?.messages(1);
    if (clocks !== undefined) sequence.snapshot(clocks, this.#clocks.snapshot(clocks));
    this.#describe(packet, sequence);
    const stamp = packet.number(PACKET.timestamp);
    const time = stamp === undefined ? undefined : sequence.time(stamp, packet.number(PACKET.clockId), this.#clocks);
    const sample = packet.message(PACKET.perfSample);
    if (sample !== undefined) this.#addSample(sample, sequence, time);
    const event = packet.message(PACKET.trackEvent);
    if (event !== undefined) this.#addEvent(event, sequence, time);
    if (!READ.some((field) => packet.has(field))) {
      this.#builder.diagnostics.add('other-records', 'Packets that are neither samples nor slices were skipped.', {
        severity: 'info',
      });
    }
  }

  /** Reads the names of threads and tracks. */
  #describe(packet: Message, sequence: Sequence): void {
    const tree = packet.message(PACKET.processTree);
    for (const process of tree?.messages(1) ?? []) {
      const [command = ''] = process.parts(3).length > 0 ? [process.text(3)] : [];
      if (command !== '') this.#processNames.set(process.int(1), command);
    }
    for (const thread of tree?.messages(2) ?? []) this.#threadNames.set(thread.int(1), thread.text(2) ?? '');
    const own = packet.message(PACKET.threadDescriptor);
    if (own !== undefined) {
      sequence.thread = { pid: own.int(1), tid: own.int(2) };
      if (own.text(5) !== undefined) this.#threadNames.set(own.int(2), own.text(5)!);
    }
    const track = packet.message(PACKET.trackDescriptor);
    const uuid = track?.number(1);
    if (track === undefined || uuid === undefined) return;
    const [process, thread] = [track.message(3), track.message(4)];
    this.#tracks.set(uuid, {
      name: track.text(2) ?? track.text(10) ?? '',
      parent: track.number(5),
      process: process === undefined ? null : { pid: process.int(1), name: process.text(6) ?? '' },
      thread: thread === undefined ? null : { pid: thread.int(1), tid: thread.int(2), name: thread.text(5) ?? '' },
    });
  }

  #addSample(sample: Message, sequence: Sequence, time: bigint | undefined): void {
    const lost = sample.number(17);
    if (lost !== undefined) {
      this.#builder.diagnostics.add('lost-samples', 'The kernel lost samples because its buffer was full.', {
        count: Number(lost),
      });
      return;
    }
    if (time === undefined) return this.#withoutTime();
    if (sample.has(18)) {
      this.#builder.diagnostics.add('lost-samples', 'Samples were skipped by traced_perf.');
      return;
    }
    const iid = sample.number(4);
    const stack = iid === undefined ? NO_STACK : this.#stack(iid, sequence);
    this.#samples.push({ stack, pid: sample.int(2), tid: sample.int(3), cpu: sample.int(1), time });
  }

  #stack(iid: bigint, sequence: Sequence): StackIndex {
    const known = sequence.stacks.get(iid);
    if (known !== undefined) return known as StackIndex;
    const frames = sequence.callstack(iid);
    if (frames === undefined) {
      this.#builder.diagnostics.add('missing-stacks', 'Samples refer to stacks that the trace has lost.');
      return NO_STACK;
    }
    this.#budget.take(frames.length);
    let stack: StackIndex = NO_STACK;
    for (const frame of frames) {
      const { name, module, address, line } = sequence.frame(frame);
      const func = this.#builder.function(
        name === '' ? unresolvedFunction(module) : { name, module, kind: kindOfModule(module) },
      );
      stack = this.#builder.stack(stack, this.#builder.frame({ func, line, address }));
    }
    sequence.stacks.set(iid, stack);
    return stack;
  }

  #addEvent(event: Message, sequence: Sequence, stamp: bigint | undefined): void {
    const legacy = event.message(6);
    const type = event.int(9, 0);
    const phase = type === BEGIN ? 'B' : type === END ? 'E' : String.fromCharCode(legacy?.int(2, 0) ?? 0);
    if (phase !== 'B' && phase !== 'E' && phase !== 'X') {
      this.#builder.diagnostics.add('other-events', 'Instants, counters and asynchronous events are not shown.', {
        severity: 'info',
      });
      return;
    }
    const absolute = event.number(16);
    const time = absolute === undefined ? stamp : absolute * 1000n;
    if (time === undefined) return this.#withoutTime();
    const name = event.text(23) ?? sequence.eventName(event.number(10) ?? legacy?.number(1));
    const slice = { phase, name, time, duration: Number(legacy?.number(3) ?? 0n) * 1000 } as const;
    const key = this.#trackOf(event, legacy, sequence);
    const slices = this.#slices.get(key);
    if (slices === undefined) this.#slices.set(key, [slice]);
    else slices.push(slice);
  }

  /** Returns `track UUID` or `thread PID TID`. */
  #trackOf(event: Message, legacy: Message | undefined, sequence: Sequence): string {
    const uuid = event.number(11) ?? sequence.defaultTrack;
    const tid = legacy?.int(19, sequence.thread?.tid ?? -1) ?? sequence.thread?.tid ?? -1;
    if (tid >= 0 && (uuid === undefined || legacy?.has(19) === true)) {
      return `thread ${legacy?.int(18, sequence.thread?.pid ?? -1) ?? sequence.thread?.pid ?? -1} ${tid}`;
    }
    return `track ${uuid ?? 0n}`;
  }

  #withoutTime(): void {
    this.#builder.diagnostics.add('no-time', 'Samples and events without a time were skipped.');
  }

  #build(): Profile {
    const builder = this.#builder;
    let origin: bigint | null = null;
    const consider = (time: bigint): void => {
      if (origin === null || time < origin) origin = time;
    };
    for (const { time } of this.#samples) consider(time);
    for (const slices of this.#slices.values()) for (const { time } of slices) consider(time);
    if (origin === null) {
      throw unsupported(
        'a trace of Perfetto without samples and slices; record with the data source linux.perf or track_event',
        { byte: 0 },
      );
    }
    const types: ValueType[] = [];
    if (this.#samples.length > 0) {
      const event = builder.event('samples');
      types.push({ type: 'samples', unit: 'count', event, column: -1 });
      for (const { stack, pid, tid, cpu, time } of this.#samples) {
        const thread = this.#thread(pid, tid, '');
        builder.sample({ stack, thread, event, time: Number(time - origin), cpu: cpu < 0 ? undefined : cpu }, 1);
      }
    }
    if (this.#slices.size > 0) {
      const event = builder.event('slices');
      types.push({ type: 'time', unit: 'nanoseconds', event, column: 0 });
      for (const [track, slices] of this.#slices) this.#addSlices(this.#threadOf(track), event, slices, origin);
    }
    const profile = builder.finish(types, {
      format: 'perfetto',
      tool: 'Perfetto',
      timeOrigin: origin,
    });
    return diagnoseUnresolved(profile);
  }

  #addSlices(
    thread: ThreadIndex,
    event: ReturnType<ProfileBuilder['event']>,
    slices: readonly Slice[],
    origin: bigint,
  ): void {
    const builder = this.#builder;
    const events = slices.map(({ phase, name, time, duration }): TraceEvent => ({
      phase,
      name: name ?? '(unnamed)',
      pid: '',
      tid: '',
      time: Number(time - origin),
      args: null,
      fields: { ...(name === undefined ? {} : { name }), dur: duration },
    }));
    const spans = new OpenSpans(
      (caller, frame) => builder.stack(caller, frame),
      (stack, time, duration) => builder.sample({ stack, thread, event, time }, duration),
    );
    const frameOf = ({ name }: TraceEvent) => builder.frame({ func: builder.function({ name: name || '(unnamed)' }) });
    traceSpans(events, frameOf, spans, builder.diagnostics);
  }

  #threadOf(key: string): ThreadIndex {
    const [kind, first = '0', second] = key.split(' ');
    if (kind === 'thread') return this.#thread(Number(first), Number(second), '');
    const track = this.#tracks.get(BigInt(first));
    if (track?.thread) return this.#thread(track.thread.pid, track.thread.tid, track.thread.name || track.name);
    const process = track?.process ?? this.#tracks.get(track?.parent ?? -1n)?.process ?? null;
    const name = track?.name || process?.name || (first === '0' ? '' : `track ${first}`);
    return this.#thread(process?.pid ?? -1, -1, name);
  }

  #thread(pid: number, tid: number, name: string): ThreadIndex {
    const known = name || this.#threadNames.get(tid) || this.#processNames.get(pid) || '';
    return this.#builder.thread(Math.max(-1, pid), Math.max(-1, tid), known);
  }
}
