import type { FrameIndex, ValueTypeIndex } from '../../model/brand.ts';
import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { doubled } from '../../model/intern/byte-table.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, NO_ADDRESS, type Profile } from '../../model/profile.ts';
import type { LegacyMaps } from './maps.ts';
import type { SectionFacts } from './section.ts';
import type { LegacyStacks } from './stacks.ts';
import { countPruned } from '../pprof/prune.ts';
import { nameOfAddress } from '../../symbols/perf-modules.ts';
import { FrameBudget } from '../stacks/frame-budget.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';

/** A profile in one of the older formats, as read. */
export interface LegacyProfile extends SectionFacts {
  readonly stacks: LegacyStacks;
  readonly maps: LegacyMaps;
  readonly diagnostics: DiagnosticCounter;
  readonly comments: string[];
}

/** Builds the profile with names, modules and root-first stacks. */
export function buildLegacyProfile(legacy: LegacyProfile): Profile {
  const { sampleTypes, stacks, diagnostics } = legacy;
  const builder = new ProfileBuilder(sampleTypes.length);
  const frames = makeFrames(legacy, builder);
  const prunedOf = planPruning(frames, legacy.isDropped);
  const locationCount = stacks.samples.reduce((sum, { locations }) => sum + locations.length, 0);
  const budget = new FrameBudget(8 * locationCount, 'open it without its binaries');
  let kept = new Int32Array(256);
  for (const { locations, values, labels, thread } of stacks.samples) {
    const pruned = prunedOf(locations);
    if (pruned > 0) {
      const message = 'Samples lost their innermost frames: allocator functions, which pprof drops too.';
      diagnostics.add('pruned-frames', message, { severity: 'info' });
    }
    let depth = 0;
    for (let at = pruned; at < locations.length; at++) {
      const { leafFirst } = frames[locations[at]!]!;
      budget.take(leafFirst.length);
      while (depth + leafFirst.length > kept.length) kept = doubled(kept);
      for (const frame of leafFirst) kept[depth++] = frame;
    }
    builder.sample(
      {
        stack: builder.stackOf(kept, depth),
        thread: builder.thread(-1, thread?.tid ?? -1, thread?.name ?? ''),
        ...(labels === undefined ? {} : { labelSet: builder.labelSet(labels) }),
      },
      ...values,
    );
  }
  const profile = builder.finish(sampleTypes, {
    format: 'pprof-legacy',
    defaultValueType: (sampleTypes.length - 1) as ValueTypeIndex,
    durationNs: legacy.durationNs,
    period: legacy.period,
    comments: legacy.comments,
    tool: legacy.tool,
  });
  return diagnoseUnresolved({ ...profile, diagnostics: diagnostics.list() }, legacy.remedy);
}

/** The frames of one address. */
interface NamedFrame {
  /** Inlined functions come before the function that contains them. */
  readonly leafFirst: readonly FrameIndex[];
  /** Name of the function that contains the address. */
  readonly name: string;
}

/** Returns the frames of each row of the addresses. */
function makeFrames({ stacks, maps, hasAddresses }: LegacyProfile, builder: ProfileBuilder): NamedFrame[] {
  const placeOf = maps.finder();
  return stacks.addresses.map((number, row) => {
    // Go writes zeros if it has no stack, and one less than that is the last address.
    const address = hasAddresses && number !== 0n && number !== NO_ADDRESS ? number : null;
    const named = stacks.names.get(row);
    if (named !== undefined) {
      const inlined = (stacks.inlined.get(row) ?? []).map(({ func, line }) =>
        builder.frame({ func: builder.function(func), line, inline: true, address }),
      );
      const { func, line } = named;
      const own = builder.frame({ func: builder.function(func), line, address });
      return { leafFirst: [...inlined, own], name: func.name };
    }
    const module = address === null ? '' : placeOf(number).file;
    const name = nameOfAddress(module, address ?? 0n);
    const func = builder.function({ name, module, kind: FunctionKind.unresolved });
    return { leafFirst: [builder.frame({ func, address })], name };
  });
}

/** Returns a function that counts the frames to remove at the leaf of a sample's stack. */
function planPruning(
  frames: readonly NamedFrame[],
  isDropped: LegacyProfile['isDropped'],
): (locations: Int32Array) => number {
  if (isDropped === null) return () => 0;
  const cuts = Uint8Array.from(frames, ({ name }) => (isDropped(name) ? 1 : 0));
  const pruning = { cuts, cutsAll: cuts, cutLines: new Int32Array(0) };
  return (locations) => countPruned(pruning, locations, locations.length);
}
