import type { EventIndex, FrameIndex, FunctionIndex, StackIndex, ThreadIndex, ValueTypeIndex } from './brand.ts';
import type { Diagnostic } from './diagnostics.ts';
import { ProfileBuilder } from './profile-builder.ts';
import { NO_ADDRESS, type FunctionKind, type Profile, type ProfileMetadata } from './profile.ts';
import { sampleWeights } from './weights.ts';

/** Adds the functions, frames and stacks of a profile. Returns the builder's stack of each of the profile's. */
export function copyStacks(builder: ProfileBuilder, { strings, functions, frames, stacks }: Profile): Int32Array {
  const ownFunctions = Array.from({ length: functions.length }, (_, row): FunctionIndex =>
    builder.function({
      name: strings[functions.name[row]!]!,
      module: strings[functions.module[row]!]!,
      file: strings[functions.file[row]!]!,
      line: functions.line[row]!,
      kind: functions.kind[row]! as FunctionKind,
    }),
  );
  const ownFrames = Array.from({ length: frames.length }, (_, row): FrameIndex =>
    builder.frame({
      func: ownFunctions[frames.func[row]!]!,
      address: frames.address?.[row] ?? NO_ADDRESS,
      line: frames.line?.[row] ?? 0,
      inline: frames.inline[row] === 1,
    }),
  );
  const moved = new Int32Array(stacks.length);
  for (let row = 0; row < stacks.length; row++) {
    const parent = stacks.parent[row]!;
    moved[row] = builder.stack((parent < 0 ? -1 : moved[parent]!) as StackIndex, ownFrames[stacks.frame[row]!]!);
  }
  return moved;
}

interface EventPart {
  readonly event: string;
  readonly profile: Profile;
  /** Times of the samples to keep, in the profile's own nanoseconds. Absent: all. */
  readonly within?: { readonly from: number; readonly to: number };
}

/**
 * Joins profiles of one run, each as an event with its own value types, which must differ; one of several events keeps
 * them. Profiles with a `timeOrigin`
 * must be on one clock: times count from the earliest. A thread whose PID and TID an earlier profile has is that
 * thread. Labels are left out. It starts with the last value type of the event that weighs most in its last, unless
 * `metadata` says otherwise.
 */
export function joinEvents(
  parts: readonly EventPart[],
  metadata: Partial<ProfileMetadata> & Pick<ProfileMetadata, 'format'>,
): Profile {
  const builder = new ProfileBuilder(Math.max(0, ...parts.map(({ profile }) => profile.valueTypes.length)));
  const timeOrigin = earliest(parts.map(({ profile }) => profile.metadata.timeOrigin));
  const known = new Map<string, ThreadIndex>();
  const valueTypes = [];
  const diagnostics: Diagnostic[] = [];
  let most = { row: 0, total: -1 };
  for (const { event: name, profile, within } of parts) {
    const stacks = copyStacks(builder, profile);
    const { samples, threads, strings, events, metadata: own } = profile;
    const ownEvents = events.length > 1 ? events.map((one) => builder.event(one)) : [];
    const eventOf = (row = -1): EventIndex => ownEvents[row] ?? builder.event(name);
    const ownThreads = Array.from(
      { length: threads.length },
      (_, row): ThreadIndex =>
        known.get(`${threads.pid[row]} ${threads.tid[row]}`) ??
        builder.thread(threads.pid[row]!, threads.tid[row]!, strings[threads.name[row]!]!),
    );
    for (const [row, thread] of ownThreads.entries())
      if (threads.tid[row]! >= 0) known.set(`${threads.pid[row]} ${threads.tid[row]}`, thread);
    const later = own.timeOrigin === null || timeOrigin === null ? 0 : Number(own.timeOrigin - timeOrigin);
    const weights = profile.valueTypes.map((_, row) => sampleWeights(profile, row as ValueTypeIndex));
    for (let sample = 0; sample < samples.length; sample++) {
      const at = samples.time?.[sample];
      if (within !== undefined && (at! < within.from || at! > within.to)) continue;
      const leaf = samples.stack[sample]!;
      const stack = (leaf < 0 ? -1 : stacks[leaf]!) as StackIndex;
      const thread = ownThreads[samples.thread[sample]!]!;
      const time = at === undefined ? undefined : at + later;
      const row = { stack, thread, event: eventOf(samples.event?.[sample]), time, cpu: samples.cpu?.[sample] };
      builder.sample(row, ...weights.map((column) => column[sample]!));
    }
    valueTypes.push(
      ...profile.valueTypes.map(({ type, unit, event }, column) => ({ type, unit, event: eventOf(event), column })),
    );
    diagnostics.push(...profile.diagnostics.map((row) => ({ ...row, message: `${name}: ${row.message}` })));
    const total = weights.at(-1)?.reduce((sum, weight) => sum + weight, 0) ?? 0;
    if (total > most.total) most = { row: valueTypes.length - 1, total };
  }
  const joined = builder.finish(valueTypes, {
    defaultValueType: most.row as ValueTypeIndex,
    ...metadata,
    timeOrigin,
  });
  return { ...joined, diagnostics: [...joined.diagnostics, ...diagnostics] };
}

const earliest = (origins: readonly (bigint | null)[]): bigint | null =>
  origins.reduce((least, one) => (least === null || (one !== null && one < least) ? one : least), null);
