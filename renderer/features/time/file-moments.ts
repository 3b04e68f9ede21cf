import type { OpenedProfile } from '../../analysis/profile/protocol.ts';

/** An event recorded in the file, in the profile's time. */
interface FileMoment {
  readonly time: number;
  readonly text: string;
  readonly isLoss: boolean;
}

/** Returns the events recorded in the file, ordered by time; empty if samples have no clock to relate them to. */
export function fileMoments({ metadata, diagnostics }: Pick<OpenedProfile, 'metadata' | 'diagnostics'>): FileMoment[] {
  const { timeOrigin } = metadata;
  if (timeOrigin === null) return [];
  return diagnostics
    .flatMap(({ code, moments = [] }) =>
      moments.map(({ clock, text }) => ({
        time: Number(BigInt(clock) - timeOrigin),
        text,
        isLoss: code === 'lost-samples',
      })),
    )
    .sort((a, b) => a.time - b.time);
}

/** A group of events that would overlap: the first, and the number of the others. */
interface MomentGroup {
  readonly time: number;
  readonly first: FileMoment;
  readonly more: number;
  readonly isLoss: boolean;
}

/** Groups events within `within` nanoseconds of the first of their group. `moments` must be ordered by time. */
export function groupMoments(moments: readonly FileMoment[], within: number): MomentGroup[] {
  const groups: MomentGroup[] = [];
  for (const moment of moments) {
    const last = groups.at(-1);
    if (last !== undefined && moment.time - last.time < within) {
      groups[groups.length - 1] = { ...last, more: last.more + 1, isLoss: last.isLoss || moment.isLoss };
    } else groups.push({ time: moment.time, first: moment, more: 0, isLoss: moment.isLoss });
  }
  return groups;
}
