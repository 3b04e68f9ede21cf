import { threadsCalled } from '#core/analyze/view/called-threads.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { nearestValueType } from '#core/compare/measure/common-value-type.ts';
import type { Profile } from '#core/model/profile.ts';
import type { ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import type { SideChoice } from './protocol.ts';

/** What of a capture a side's choice means. */
export function sideSelection(
  profile: Profile,
  { threads, timeRange }: Omit<SideChoice, 'valueType'>,
  valueType: ValueTypeName,
): Selection {
  return {
    valueType: nearestValueType(profile, valueType),
    threads: threads === null ? null : threadsCalled(profile, threads),
    timeRange,
  };
}
