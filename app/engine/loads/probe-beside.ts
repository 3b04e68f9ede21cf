import { setTimeout as sleep } from 'node:timers/promises';
import { createProbeReader, probedSeries, probeSeriesArgv, type ProbedAnswer } from '#core/load/probed.ts';
import type { RunSeries } from '#core/contract/load/result.ts';
import type { LoadSeries } from '#core/contract/load/series.ts';
import { linesOf } from '#collectors/target/lines-of.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { RunningProcess, Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { checkUrl } from './check-url.ts';

type ProbeSeries = Extract<LoadSeries, { kind: 'probe' }>;

/** What is requested: the address under load, or that of a hop, with the same headers. */
export interface ProbedRequest {
  readonly url: string;
  readonly headers: readonly string[];
}

/** Pause before curl is started again after an unexpected end. Milliseconds. */
const RETRY_MS = 1000;

/** Returns curl's command. Rejects with an `EngineFailure` without a curl that can keep a rate. */
export async function planProbeSeries(target: Target, source: ProbeSeries, request: ProbedRequest): Promise<string[]> {
  const program = await target.findExecutable('curl');
  const asked = program === null ? null : await runToEnd(target, [program, '--rate', '1/s', '--version']);
  const url = source.hop?.url ?? request.url;
  checkUrl(url);
  if (program !== null && asked?.exit.code === 0) return probeSeriesArgv(program, source, { ...request, url });
  throw new EngineFailure(
    'no-tool',
    `Probes need curl 7.84 or later on ${target.host}.`,
    'Install it there (Debian and Ubuntu: apt install curl), or leave the series out.',
  );
}

/** Single requests beside the load, for a whole sweep. */
export interface ProbesBeside {
  /** What else the lack of answers may mean; absent: nothing. */
  readonly missing?: string;
  during(from: number, to: number, most: number): RunSeries | null | Promise<RunSeries | null>;
  /** Idempotent. */
  end(): void;
}

/** Starts sending. */
export async function startProbes(
  target: Target,
  title: string,
  source: ProbeSeries,
  request: ProbedRequest,
): Promise<ProbesBeside> {
  const argv = await planProbeSeries(target, source, request);
  const read = createProbeReader();
  const ending = new AbortController();
  let answers: ProbedAnswer[] = [];
  let child: RunningProcess | null = null;
  const round = async (): Promise<void> => {
    child = await target.run(argv, { input: false });
    if (ending.signal.aborted) child.kill('SIGKILL');
    const drained = (async () => {
      for await (const _ of child.stdout);
    })();
    for await (const line of linesOf(child.stderr)) {
      const answer = read(line, Date.now());
      if (answer !== null) answers.push(answer);
    }
    await drained;
  };
  void (async () => {
    while (!ending.signal.aborted) {
      const startedAt = Date.now();
      await round().catch(() => undefined);
      // The next run of the load says if its server has gone.
      if (Date.now() - startedAt < RETRY_MS)
        await sleep(RETRY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  return {
    during(from, to, most) {
      answers = answers.filter(({ at }) => at >= from);
      return probedSeries(title, answers, { from, to, most }, source);
    },
    end() {
      ending.abort();
      child?.kill('SIGKILL');
    },
  };
}
