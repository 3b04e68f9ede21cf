import type { PerfOptions } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Side } from '#core/contract/side.ts';
import { keepSides, type Experiments } from '#app/engine/experiments/experiments.ts';
import type { Library } from '#app/engine/library/library.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { loggedLinesOf, planHosts, toRecordedHost } from '#app/engine/recording/plan-hosts.ts';
import { startRecording } from '#app/engine/recording/recording.ts';
import { captureError } from '../errors.ts';
import { say, showProgress } from '../output/terminal.ts';
import { endOnSignals } from '../record/end-on-signals.ts';
import { commandLines, planRefusal } from '../record/plan-text.ts';
import type { CliTargets } from '../targets/cli-targets.ts';
import type { Benchmark } from './sides.ts';

export interface RecordingPlace {
  readonly library: Library;
  readonly experiments: Experiments;
  readonly targets: CliTargets;
  readonly rateHz: number;
}

/**
 * Records both sides of a benchmark alternately with perf, `pairs` complete runs of each, in the order A B B A, and adds
 * them to the experiment; null makes one. Returns its ID. Throws a capture error if a run is missing or failed: the
 * sides would not be comparable.
 */
export async function recordPairs(
  { library, experiments, targets, rateHz }: RecordingPlace,
  { name, argv }: Benchmark,
  pairs: number,
  experimentId: string | null,
  tellsCommands = experimentId === null,
): Promise<string> {
  const perf = (side: Side): PerfOptions => ({
    collector: 'perf',
    rateHz,
    event: null,
    callGraph: 'fp',
    seconds: null,
    scope: { kind: 'command', argv: [...argv[side]] },
  });
  const open = (id: string) => targets.open(id);
  const plans = await planHosts(collectorsWith({}), open, [
    { targetId: LOCAL_TARGET, options: () => Promise.resolve([perf('before'), perf('after')]) },
  ]);
  const hosts = plans.flatMap(toRecordedHost);
  if (hosts.length === 0) throw planRefusal(targets, plans);
  if (tellsCommands) for (const line of commandLines(targets, plans, loggedLinesOf)) say(line);
  const session = await startRecording(
    { library, keepSides: keepSides(experiments), journal: targets.registry.journal },
    {
      hosts,
      repeat: pairs,
      pauseSeconds: 0,
      name,
      ...(experimentId === null ? {} : { into: { experimentId, side: 'before' } }),
    },
  );
  const signals = endOnSignals(session, { sharesTerminal: false });
  session.onStatus(({ run, runs }) => showProgress(`${name}: run ${Math.min(run + 1, runs)} of ${runs}`));
  const { captures, error, status, experimentId: made } = await session.ended;
  signals.off();
  showProgress('');
  if (error !== null) throw captureError(`${name}: ${error.message.replace(/\.$/, '')}`, error.remedy);
  const ended = captures.map(({ collector }) => collector).find((one) => one?.exitCode !== 0);
  if (ended !== undefined && ended !== null) {
    const how =
      ended.exitCode === null ? `was ended by ${ended.signal ?? 'a signal'}` : `exited with ${ended.exitCode}`;
    const last = status.messages.at(-1);
    throw captureError(`${name}: the benchmark ${how}${last === undefined ? '' : `: ${last}`}`, 'nothing is decided');
  }
  const whole = captures.filter(({ incomplete, samples }) => !incomplete && (samples ?? 0) > 0);
  if (whole.length < 2 * pairs || made === null) {
    throw captureError(
      `${name}: ${whole.length} of ${2 * pairs} runs are complete and have samples`,
      'let each run work for at least a second; complete runs are kept',
    );
  }
  return made;
}
