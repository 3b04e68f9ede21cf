import { expect } from 'vitest';
import { stapOptionsSchema, type StapOptions } from '#core/contract/stap.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { CollectorOptions } from '#core/contract/schemas.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Collector, Plan, Recording, RecordingOutcome } from '#collectors/collector.ts';
import { isFinal } from '#collectors/recording-failure.ts';
import { createStapCollector } from '#collectors/stap/collector.ts';
import type { SshTarget } from '#collectors/target/ssh/ssh-target.ts';
import { byteSource } from '../support/byte-source.ts';
import { MemorySink } from '../support/memory-sink.ts';
import { clock } from '../support/perf-recording.ts';
import { continuePrograms, LONG, shell, targetFor } from './machine.ts';

export const root = targetFor('fbvm');
const builders = { 'ssh://fbvm-build': targetFor('fbvm-build'), 'ssh://fbvm-stock': targetFor('fbvm-stock') };
export const stapCollector = createStapCollector((id) => Promise.resolve(builders[id as keyof typeof builders]));
export const disconnect = async (): Promise<void> => {
  for (const target of [root, ...Object.values(builders)]) await target.dispose();
};

export const onCpu = { kind: 'recipe', recipe: 'on-cpu', rateHz: 199, stacks: 'user' } as const;

/** Options of a recording of `pid` until it is stopped, with a module of the host that only compiles. */
export const options = (pid: number, change: Partial<StapOptions> = {}): StapOptions =>
  stapOptionsSchema.parse({
    collector: 'stap',
    scope: { kind: 'pid', pid, startTicks: null },
    what: onCpu,
    seconds: null,
    buildOn: 'ssh://fbvm-build',
    ...change,
  });

export async function planned(given: StapOptions, on: SshTarget = root): Promise<Plan<StapOptions>> {
  const { plan, checks } = await stapCollector.preflight(on, given);
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
  return plan!;
}

export interface Recorded {
  readonly outcome: RecordingOutcome;
  readonly sink: MemorySink;
  readonly messages: readonly string[];
}

/** Records until the rows have this weight: samples, or microseconds. */
export const record = (plan: Plan<StapOptions>, weight: number, on: SshTarget = root): Promise<Recorded> =>
  recordWith(stapCollector, plan, (_recording, sink) => untilWeight(sink, weight), on);

export async function recordWith<Options extends CollectorOptions>(
  collector: Pick<Collector<Options>, 'start'>,
  plan: Plan<Options>,
  until: (recording: Recording, sink: MemorySink) => Promise<void>,
  on: SshTarget = root,
): Promise<Recorded> {
  const sink = new MemorySink();
  const recording = collector.start(on, plan, sink, clock);
  const messages: string[] = [];
  recording.onProgress((progress) => messages.push(...progress.messages));
  await begun(recording);
  await Promise.race([until(recording, sink), recording.outcome]);
  await recording.stop();
  const outcome = await recording.outcome;
  expect(outcome.error).toBeNull();
  expect(outcome.state).toBe('finished');
  return { outcome, sink, messages };
}

/** Total that the script itself states. */
export const statedTotal = (sink: MemorySink): number =>
  Number(/^# flamebench total=(\d+) /m.exec(sink.text('raw.stap.txt'))?.[1]);

export const profileOf = ({ outcome, sink }: Pick<Recorded, 'outcome' | 'sink'>): Promise<Profile> =>
  importProfile(byteSource(sink.files.get(outcome.primaryFile)!, outcome.primaryFile));

/** Waits until it records, and then lets the programs of the test run. */
export async function begun(recording: Recording): Promise<void> {
  await new Promise<void>((resolve) => {
    recording.onProgress(({ state }) => {
      if (state !== 'preparing') resolve();
    });
  });
  await continuePrograms();
}

/** Waits until there are so many rows, or the recording has ended. */
export const untilRows = (recording: Recording, rows: number): Promise<void> =>
  new Promise((resolve) => {
    recording.onProgress(({ samples, state }) => {
      if (samples >= rows || isFinal(state)) resolve();
    });
  });

/** Waits until the rows of SystemTap have this weight: samples, or microseconds. */
export const untilWeight = (sink: MemorySink, weight: number): Promise<void> =>
  expect
    .poll(
      () =>
        Array.from(sink.text('raw.stap.txt').matchAll(/^row (\d+) /gm), ([, one]) => Number(one)).reduce(
          (sum, one) => sum + one,
          0,
        ),
      {
        timeout: LONG,
        interval: 500,
      },
    )
    .toBeGreaterThan(weight);

/** Returns what is left of recordings in the machine. */
export const leftThere = (): Promise<string> =>
  shell(
    'grep -o "^stap_[^ ]*" /proc/modules; pgrep -lx "stap|staprun|stapio|bpftrace"; ls -d /tmp/flamebench-* 2>/dev/null; true',
  );

/** Waits until nothing is left. */
export const nothingIsLeft = (): Promise<void> => expect.poll(leftThere, { timeout: 60_000, interval: 1000 }).toBe('');

const nameOf = (profile: Profile, stack: number): string => {
  const frame = profile.stacks.frame[stack];
  return frame === undefined ? '' : profile.strings[profile.functions.name[profile.frames.func[frame]!]!]!;
};

/** Share of each function in the self weight, the heaviest first. */
export function selfOf(profile: Profile): [name: string, share: number][] {
  const sums = new Map<string, number>();
  let total = 0;
  for (const [row, stack] of profile.samples.stack.entries()) {
    const weight = profile.samples.weights[0]![row]!;
    const name = nameOf(profile, stack);
    sums.set(name, (sums.get(name) ?? 0) + weight);
    total += weight;
  }
  return [...sums].map(([name, weight]): [string, number] => [name, weight / total]).sort(([, a], [, b]) => b - a);
}

export const totalOf = (profile: Profile): number => profile.samples.weights[0]!.reduce((sum, one) => sum + one, 0);

/** Weight of the stacks that contain the function. */
export function weightWith(profile: Profile, name: string): number {
  let sum = 0;
  for (const [row, leaf] of profile.samples.stack.entries()) {
    let stack = leaf;
    while (stack >= 0 && nameOf(profile, stack) !== name) stack = profile.stacks.parent[stack]!;
    if (stack >= 0) sum += profile.samples.weights[0]![row]!;
  }
  return sum;
}

export const namesOf = (profile: Profile): Set<string> =>
  new Set(Array.from(profile.functions.name, (name) => profile.strings[name]!));

/** Checks that functions with over 5 % on a side differ by at most `points`; default: the error of sampling. */
export function expectSameFunctions(before: Profile, after: Profile, points?: number): void {
  const sides = [before, after].map((profile) => new Map(selfOf(profile)));
  const counts = [before, after].map(totalOf);
  for (const name of new Set(sides.flatMap((side) => [...side.keys()]))) {
    const [a, b] = sides.map((side) => side.get(name) ?? 0) as [number, number];
    if (Math.max(a, b) <= 0.05) continue;
    const p = (a + b) / 2;
    const error = 4 * Math.sqrt(p * (1 - p) * (1 / counts[0]! + 1 / counts[1]!));
    expect
      .soft(Math.abs(a - b), `${name}: ${a.toFixed(3)} and ${b.toFixed(3)} of ${counts.join(', ')}`)
      .toBeLessThan(points === undefined ? error : points / 100);
  }
}

export const codes = ({ diagnostics }: RecordingOutcome): string[] => diagnostics.map(({ code }) => code);
