import { globSync } from 'node:fs';
import path from 'node:path';
import { openFleetToPush } from '#app/engine/fleet/open-fleet.ts';
import { hash64, PushBatch } from '#app/engine/fleet/push.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { captureRows } from '#core/fleet/capture-rows.ts';
import type { FleetCapture } from '#core/fleet/merge-captures.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { root } from '../../scripts/run-command.ts';

/** A fleet whose captures are drawn from a real one, each with samples of its own. */
export interface GeneratedFleet {
  readonly hosts: number;
  readonly releases: readonly string[];
  /** Of each release on each host. */
  readonly captures: number;
  /** Samples of a capture. */
  readonly samples: number;
  /** Makes stacks with this function heavier by the factor, in one release, on the first hosts. */
  readonly planted?: {
    readonly func: string;
    readonly release: string;
    readonly factor: number;
    readonly hosts: number;
  };
  readonly seed?: number;
}

/** A generator of numbers from 0 to 1 that a seed repeats: Numerical Recipes' linear congruence. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns all samples of the recordings of one sample program, before its change. */
export async function realProfile(): Promise<Profile> {
  const [file] = globSync('samples/profiles/perf-script/page-server-before-1/raw.*', { cwd: root });
  return importProfile(fileSource(path.join(root, file!)));
}

/** Returns, for each sample, whether its stack has the function. */
export function samplesWith({ samples, stacks, frames, functions, strings }: Profile, func: string): Uint8Array {
  const has = new Uint8Array(stacks.length);
  for (let row = 0; row < stacks.length; row++) {
    const parent = stacks.parent[row]!;
    const own = strings[functions.name[frames.func[stacks.frame[row]!]!]!] === func;
    has[row] = own || (parent >= 0 && has[parent] === 1) ? 1 : 0;
  }
  return Uint8Array.from(samples.stack, (stack) => (stack < 0 ? 0 : has[stack]!));
}

/**
 * Writes a fleet to a new file, or to the tables of a server. A capture's samples are drawn with replacement. Functions weigh differently on each host,
 * and a little differently in each capture.
 */
export async function generateFleet(file: string, options: GeneratedFleet): Promise<{ samples: number }> {
  const { hosts, releases, captures, samples, planted, seed = 1 } = options;
  const base = await realProfile();
  const isPlanted = planted === undefined ? null : samplesWith(base, planted.func);
  const next = random(seed);
  const fleet = await openFleetToPush(file);
  const batch = new PushBatch(fleet);
  let written = 0;
  try {
    for (let host = 0; host < hosts; host++) {
      const hostBias = biasOf(base, next, 0.2);
      for (const [order, release] of releases.entries()) {
        for (let run = 0; run < captures; run++) {
          const own = biasOf(base, next, 0.05);
          const grows = planted !== undefined && release === planted.release && host < planted.hosts;
          const profile = draw(base, samples, next, (sample, leaf) => {
            const factor = grows && isPlanted![sample] === 1 ? planted.factor : 1;
            return hostBias[leaf]! * own[leaf]! * factor;
          });
          const id = `${seed} ${host} ${release} ${run}`;
          const rows = captureRows(profile, hash64);
          const capture = captureNamed(id, `web-${host + 1}`, release, order);
          await batch.add({ ...capture, time: capture.time + run * MINUTE }, rows);
          written += samples;
        }
      }
    }
    await batch.flush();
  } finally {
    fleet.close();
  }
  return { samples: written };
}

/** Returns a factor for each function, about 1. */
const biasOf = ({ functions }: Profile, next: () => number, spread: number): Float64Array =>
  Float64Array.from({ length: functions.length }, () => 1 + spread * (2 * next() - 1));

function draw(
  base: Profile,
  count: number,
  next: () => number,
  weigh: (sample: number, leaf: number) => number,
): Profile {
  const { samples, stacks, frames } = base;
  const ends = new Float64Array(samples.length);
  let whole = 0;
  for (let sample = 0; sample < samples.length; sample++) {
    const stack = samples.stack[sample]!;
    whole += stack < 0 ? 1 : weigh(sample, frames.func[stacks.frame[stack]!]!);
    ends[sample] = whole;
  }
  const chosen = Int32Array.from({ length: count }, () => {
    const at = next() * whole;
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return low;
  });
  const pick = <T extends Int32Array | Uint8Array | Float64Array | Int16Array>(column: T): T =>
    (column.constructor as unknown as { from(rows: Int32Array, map: (row: number) => number): T }).from(
      chosen,
      (row) => column[row]!,
    );
  return {
    ...base,
    samples: {
      ...samples,
      length: count,
      stack: pick(samples.stack),
      thread: pick(samples.thread),
      event: samples.event === null ? null : pick(samples.event),
      time: null,
      cpu: null,
      weights: samples.weights.map(pick),
    },
  };
}

const DAY = 86_400_000;
const MINUTE = 60_000;

export const captureNamed = (id: string, host: string, release: string, order: number): FleetCapture => ({
  id,
  name: `page-server ${id}`,
  time: Date.UTC(2026, 0, 1) + order * DAY,
  host,
  service: 'page',
  release,
  commit: '',
  labels: new Map([['env', 'test']]),
  event: 'cpu-clock',
  unit: 'nanoseconds',
  format: 'perf-script',
  program: null,
  buildId: null,
  kernel: null,
  cpus: null,
  rateHz: 999,
  seconds: 30,
  isSpan: false,
  cpuSeconds: null,
  requests: null,
  quality: 'good',
});
