import type { Selection } from '#core/analyze/stack-view.ts';
import { nearestValueType } from '#core/compare/common-value-type.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import type { SideChoice, ValueTypeName } from './compare-protocol.ts';

/** What of a capture a side's choice means. */
export function sideSelection(
  profile: Profile,
  { threads, timeRange }: Omit<SideChoice, 'valueType'>,
  valueType: ValueTypeName,
): Selection {
  return {
    valueType: nearestValueType(profile, valueType),
    threads: threads === null ? null : threadsNamed(profile, threads),
    timeRange,
  };
}

function threadsNamed({ threads, strings }: Profile, names: readonly string[]): ThreadIndex[] {
  const wanted = new Set(names);
  const all = Array.from({ length: threads.length }, (_, row) => row as ThreadIndex);
  return all.filter((row) => wanted.has(strings[threads.name[row]!]!));
}
