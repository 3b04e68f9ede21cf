import type { OpenedProfile } from '../../analysis/profile/protocol.ts';

/** Something that the file itself tells of, at a time of the profile. */
export interface FileMoment {
  readonly time: number;
  readonly text: string;
  readonly isLoss: boolean;
}

/** What the file's records say happened when, in the order of time; empty where samples have no clock to compare with. */
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

/** Moments that would stand on one another are one: what it says, and how many more there are. */
export interface MomentGroup {
  readonly time: number;
  readonly first: FileMoment;
  readonly more: number;
  readonly isLoss: boolean;
}

/** Groups of moments within `within` nanoseconds of their first. `moments`: in the order of time. */
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
