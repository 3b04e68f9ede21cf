import { joinColumns } from '../../model/intern/column.ts';
import type { FunctionTable, Profile } from '../../model/profile.ts';
import { regroup, type Granularity } from '../reading/granularity.ts';
import { matchLabels } from '../reading/label-filter.ts';
import { countLabelValues } from '../reading/labels.ts';
import { readFrames, type FramesReading } from '../reading/reading.ts';
import { functionNames } from '../search.ts';
import { isReading, type NamedTransform, type ReadingTransform } from './named-transform.ts';
import { resolveTransforms, type PatternRunner, type ReadStep } from './resolve-transforms.ts';
import type { ResolvedTransforms } from '../view/transforms.ts';

/** A profile as transforms read it, with those that change stacks resolved for it. */
export interface TransformedProfile {
  /**
   * The profile itself if no transform changes its frames. Samples, threads and value types keep their rows; functions
   * are added after the profile's own, which keep their indices.
   */
  readonly profile: Profile;
  readonly resolved: ResolvedTransforms;
  /** See {@link ReadCache}. */
  readonly read: ReadCache;
}

/** The frames as last read; reading them again takes time in proportion to the profile's size. */
interface ReadCache {
  readonly recorded: Profile;
  readonly key: string;
  readonly profile: Profile;
  /** By function: the text that patterns match. */
  readonly names: readonly string[];
  readonly firstFunction: number;
}

/**
 * Applies the transforms that determine how samples are read, and resolves the others for the result, like {@link
 * resolveTransforms}. `names`: the profile's `functionNames()`; `before`: the last result for the profile, reused if
 * possible.
 */
export async function transformProfile(
  recorded: Profile,
  transforms: readonly NamedTransform[],
  patterns: PatternRunner,
  names: readonly string[] = functionNames(recorded),
  before: TransformedProfile | null = null,
): Promise<TransformedProfile> {
  const reading = framesReadingOf(transforms);
  const key = JSON.stringify(reading);
  const isKnown = before !== null && before.read.recorded === recorded && before.read.key === key;
  const read = isKnown ? before.read : { recorded, key, ...readRows(recorded, names, reading) };
  const steps = new Map<number, ReadStep>();
  for (const [place, transform] of transforms.entries()) {
    if (!transform.enabled || !isReading(transform)) continue;
    steps.set(place, await readStep(recorded, transform, read, patterns));
  }
  const { profile, firstFunction } = read;
  const resolved = await resolveTransforms(profile, transforms, patterns, read.names, { firstFunction, steps });
  return { profile, resolved, read };
}

interface RowsReading extends FramesReading {
  readonly granularity: Granularity | null;
}

function framesReadingOf(transforms: readonly NamedTransform[]): RowsReading {
  const applied = transforms.filter(({ enabled }) => enabled);
  const keys = (kind: 'label-root' | 'label-leaf'): string[] =>
    applied.flatMap((transform) => (transform.kind === kind ? [transform.key] : []));
  const granularity = applied.findLast((transform) => transform.kind === 'granularity');
  return {
    granularity: granularity?.rows ?? null,
    inlines: applied.every(({ kind }) => kind !== 'no-inlines'),
    labelRoots: keys('label-root'),
    labelLeaves: keys('label-leaf'),
  };
}

function readRows(
  recorded: Profile,
  names: readonly string[],
  { granularity, ...frames }: RowsReading,
): Omit<ReadCache, 'recorded' | 'key'> {
  const framed = readFrames(recorded, frames);
  const framedNames = framed.functions === recorded.functions ? names : functionNames(framed);
  if (granularity === null) return { profile: framed, names: framedNames, firstFunction: 0 };
  const rows = regroup(framed, granularity);
  const firstFunction = framed.functions.length;
  return {
    profile: {
      ...rows.profile,
      functions: joinTables(framed.functions, rows.profile.functions),
      frames: { ...rows.profile.frames, func: rows.profile.frames.func.map((func) => func + firstFunction) },
    },
    names: [...framedNames, ...rows.names],
    firstFunction,
  };
}

/** Joins tables; the strings of the second begin with those of the first. */
function joinTables(first: FunctionTable, second: FunctionTable): FunctionTable {
  return {
    length: first.length + second.length,
    name: joinColumns(first.name, second.name),
    module: joinColumns(first.module, second.module),
    file: joinColumns(first.file, second.file),
    line: joinColumns(first.line, second.line),
    kind: joinColumns(first.kind, second.kind),
  };
}

async function readStep(
  recorded: Profile,
  transform: ReadingTransform,
  { profile, firstFunction }: ReadCache,
  patterns: PatternRunner,
): Promise<ReadStep> {
  switch (transform.kind) {
    case 'keep-label':
    case 'hide-label': {
      const matched = await matchLabels(recorded, transform.filter, patterns);
      const keeps = transform.kind === 'keep-label';
      return { step: { kind: 'samples', matched, keeps }, found: matched.reduce((count, one) => count + one, 0) };
    }
    case 'label-root':
    case 'label-leaf':
      return { step: null, found: countLabelValues(recorded, transform.key) };
    case 'granularity':
      return { step: null, found: profile.functions.length - firstFunction };
    case 'no-inlines':
      return { step: null, found: recorded.frames.inline.reduce((count, inline) => count + inline, 0) };
  }
}
