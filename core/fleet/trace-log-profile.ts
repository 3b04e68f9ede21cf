import { diagnoseUnresolved } from '../import/stacks/unresolved-frames.ts';
import { NO_STACK, type FrameIndex, type StackIndex, type ValueTypeIndex } from '../model/brand.ts';
import { ProfileBuilder } from '../model/profile-builder.ts';
import { FunctionKind, type Profile, type ValueType } from '../model/profile.ts';

/** Types of ClickHouse's `system.trace_log` that become value types; `unit` is that of `weight`. */
export const TRACE_TYPES = [
  { name: 'CPU', type: 'cpu', unit: 'samples' },
  { name: 'Real', type: 'real', unit: 'samples' },
  { name: 'Memory', type: 'memory', unit: 'bytes' },
] as const;
export type TraceType = (typeof TRACE_TYPES)[number]['name'];

export interface TraceSample {
  readonly type: TraceType;
  /** Unix microseconds. */
  readonly time: number;
  readonly thread: number;
  readonly query: string;
  /** Id of a {@link TraceStack}. */
  readonly stack: bigint;
  /** Bytes of an allocation. */
  readonly size: number;
}

export interface TraceStack {
  readonly id: bigint;
  /** Leaf first, as ClickHouse stores it. */
  readonly addresses: readonly bigint[];
}

/** What the server knows of an address. */
export interface TraceSymbol {
  readonly address: bigint;
  /** Empty: unknown. */
  readonly name: string;
  /** `file:line`; the program's path if it has no debug information; empty if it was not asked. */
  readonly line: string;
}

interface TraceLog {
  /** In the order of their time. */
  readonly samples: readonly TraceSample[];
  readonly stacks: readonly TraceStack[];
  readonly symbols: readonly TraceSymbol[];
  /** Samples of other types, which are left out, by type. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly hostName: string | null;
  readonly comment: string;
}

const PROGRAM = 'clickhouse';
export const TRACE_LOG_FORMAT = 'clickhouse-trace-log';

/** Returns the profile of samples of `system.trace_log`: a value type per trace type, and labels with the query's id. */
export function traceLogProfile({ samples, stacks, symbols, leftOut, hostName, comment }: TraceLog): Profile {
  const builder = new ProfileBuilder(1);
  const present = TRACE_TYPES.filter(({ name }) => samples.some(({ type }) => type === name));
  const events = new Map(present.map(({ name }) => [name, builder.event(name)]));
  const frames = new Map(symbols.map((symbol) => [symbol.address, frameOf(builder, symbol)]));
  const rows = new Map(stacks.map((one) => [one.id, stackOf(builder, one, frames)]));
  const start = samples[0]?.time ?? 0;
  for (const { type, time, thread, query, stack, size } of samples) {
    builder.sample(
      {
        stack: rows.get(stack) ?? NO_STACK,
        thread: builder.thread(-1, thread, `thread ${thread}`),
        event: events.get(type)!,
        time: (time - start) * 1000,
        labelSet: builder.labelSet([{ key: 'query_id', text: query }]),
      },
      size,
    );
  }
  for (const [type, count] of leftOut) {
    builder.diagnostics.add(`trace-type-${type}`, `Samples of the trace type ${type} are left out.`, {
      severity: 'info',
      count,
    });
  }
  const types = present.map(({ name, type, unit }): ValueType => ({
    type,
    unit,
    event: events.get(name)!,
    column: unit === 'bytes' ? 0 : -1,
  }));
  const profile = builder.finish(types, {
    format: TRACE_LOG_FORMAT,
    defaultValueType: 0 as ValueTypeIndex,
    startTime: BigInt(start) * 1000n,
    durationNs: ((samples.at(-1)?.time ?? start) - start) * 1000,
    hostName,
    comments: [comment],
  });
  return diagnoseUnresolved(profile, 'Grant addressToSymbol and demangle, and allow_introspection_functions.');
}

function frameOf(builder: ProfileBuilder, { address, name, line }: TraceSymbol): FrameIndex {
  const named =
    name === ''
      ? { name: `0x${address.toString(16)}`, kind: FunctionKind.unresolved }
      : { name, kind: FunctionKind.user };
  const frame = builder.frame({ func: builder.function({ ...named, module: PROGRAM }), address });
  const place = /^(.+):(\d{1,9})$/.exec(line);
  return place === null ? frame : builder.frameAtSource(frame, place[1]!, Number(place[2]), false);
}

function stackOf(
  builder: ProfileBuilder,
  { addresses }: TraceStack,
  frames: ReadonlyMap<bigint, FrameIndex>,
): StackIndex {
  let row = NO_STACK;
  for (const address of addresses.toReversed()) {
    const frame = frames.get(address);
    // The log got rows between the queries.
    if (frame !== undefined) row = builder.stack(row, frame);
  }
  return row;
}
