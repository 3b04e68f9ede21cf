import type { Profile } from '../model/profile.ts';

/**
 * Returns the rows of samples of each thread that has any, ordered by time if there is one. `keeps` selects the samples
 * that count.
 */
export function samplesByThread({ samples }: Profile, keeps: (row: number) => boolean): Map<number, number[]> {
  const byThread = new Map<number, number[]>();
  for (let row = 0; row < samples.length; row++) {
    if (!keeps(row)) continue;
    const thread = samples.thread[row]!;
    const known = byThread.get(thread);
    if (known === undefined) byThread.set(thread, [row]);
    else known.push(row);
  }
  const { time } = samples;
  if (time !== null) for (const rows of byThread.values()) rows.sort((a, b) => time[a]! - time[b]! || a - b);
  return byThread;
}
