import type { EventIndex, FunctionIndex, StackIndex, ThreadIndex } from './brand.ts';
import type { ProfileBuilder } from './profile-builder.ts';
import type { FunctionKind, Profile } from './profile.ts';

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** What {@link appendProfile} may change on the way. */
export interface AppendOptions {
  /** By event of the part: the builder's. */
  readonly events: readonly EventIndex[];
  /** Nanoseconds to add to each time. */
  readonly timeShift: number;
}

/**
 * Adds a profile's rows to a builder as if they had been added to it in the first place: rows that are new come in the part's order.
 * For parts whose samples have one weight and no labels; only `finish` may follow. The part's columns are used up.
 */
export function appendProfile(builder: ProfileBuilder, part: Profile, options: AppendOptions): void {
  for (const text of part.strings) builder.string(text);
  const frames = appendFrames(builder, part, appendFunctions(builder, part));
  const frameOfStack = part.stacks.frame;
  for (let row = 0; row < frameOfStack.length; row++) frameOfStack[row] = frames[frameOfStack[row]!]!;
  const stacks = builder.lastStacks(part.stacks.parent, frameOfStack);
  const threads = Array.from({ length: part.threads.length }, (_, row) => {
    const { pid, tid, name } = part.threads;
    return builder.thread(pid[row]!, tid[row]!, part.strings[name[row]!]!);
  });
  appendSamples(builder, part, stacks, threads, options);
}

function appendFunctions(builder: ProfileBuilder, { functions, strings }: Profile): FunctionIndex[] {
  return Array.from({ length: functions.length }, (_, row) =>
    builder.function({
      name: strings[functions.name[row]!]!,
      module: strings[functions.module[row]!]!,
      file: strings[functions.file[row]!]!,
      line: functions.line[row]!,
      kind: functions.kind[row]! as FunctionKind,
    }),
  );
}

function appendFrames(builder: ProfileBuilder, { frames }: Profile, functions: readonly FunctionIndex[]): Int32Array {
  const { func, address, inline } = frames;
  const halves = address === null ? null : new Int32Array(address.buffer, address.byteOffset, address.length * 2);
  const [low, high] = IS_LITTLE_ENDIAN ? [0, 1] : [1, 0];
  // Without addresses: both halves of NO_ADDRESS.
  return Int32Array.from(func, (own, row) =>
    builder.frameAt(
      functions[own]!,
      halves === null ? -1 : halves[row * 2 + high]!,
      halves === null ? -1 : halves[row * 2 + low]!,
      inline[row] === 1,
    ),
  );
}

function appendSamples(
  builder: ProfileBuilder,
  { samples }: Profile,
  stacks: Int32Array,
  threads: readonly ThreadIndex[],
  { events, timeShift }: AppendOptions,
): void {
  const { stack, thread, event, time, cpu, weights } = samples;
  for (let row = 0; row < samples.length; row++) {
    const at = time === null ? Number.NaN : time[row]! + timeShift;
    const onCpu = cpu === null ? -1 : cpu[row]!;
    builder.sample(
      {
        stack: (stack[row]! < 0 ? -1 : stacks[stack[row]!]!) as StackIndex,
        thread: threads[thread[row]!]!,
        event: event === null ? undefined : events[event[row]!],
        time: Number.isNaN(at) ? undefined : at,
        cpu: onCpu < 0 ? undefined : onCpu,
      },
      weights[0]![row]!,
    );
  }
}
