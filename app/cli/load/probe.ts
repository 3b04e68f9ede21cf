import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { MAX_PROBES, probePlanSchema, type ProbePlan } from '#core/contract/load/probe.ts';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import { probeWarnings, totalProbeText, type ProbeSide } from '#core/load/describe-probe.ts';
import { phasesIn, type ProbePhases, type ProbeSample } from '#core/load/probe.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { planProbe, probeCommands, runProbe, startProbe } from '#app/engine/loads/run-probe.ts';
import type { Target } from '#collectors/target/target.ts';
import { ExitCode } from '../command.ts';
import { captureError, usageError } from '../errors.ts';
import { jsonText } from '../output/json-text.ts';
import { asLines, print, say } from '../output/terminal.ts';
import { withTargets } from '../targets/cli-targets.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { findLoad, probeSideOf, withLoadTests } from './inputs.ts';
import type { LoadOptions } from './load-options.ts';
import { describeProbe, probeShifts, probeSummary } from './print-probe.ts';
import { asCaptureFailure } from './run.ts';
import { writePrinted } from './write-output.ts';

/**
 * Times one URL's phases, on a new and on a kept connection; with `--before` compared with an earlier probe, and with
 * `--keep` stored in the library.
 */
export async function probeUrl(words: readonly string[], options: LoadOptions): Promise<ExitCode> {
  const [url, ...others] = words;
  if (url === undefined || others.length > 0) throw usageError('load probe wants one URL');
  if (options.name !== undefined && options.keep !== true) throw usageError('--name is for --keep');
  const times = timesOf(options.repeat ?? '10');
  const before = await beforeOf(options);
  const plan: ProbePlan = {
    url,
    headers: [...(options.header ?? [])],
    times,
    restart: options.restart ?? null,
    idle: idleOf(options.idle ?? '0'),
    ...preflightOf(options),
  };
  return withTargets(async (targets) => {
    const target = await targets.open(await targets.resolveOne(options.target ?? LOCAL_TARGET));
    const program = await planProbe(target, plan).catch(asCaptureFailure);
    const shown = {
      ...plan,
      url: redactText(url),
      restart: plan.restart === null ? null : redactText(plan.restart),
    };
    const total = totalProbeText(shown, target.host);
    if (options.dryRun === true) {
      print(asLines([total, ...probeCommands(program, plan).map((argv) => `  ${quoteArgv(argv)}`)]));
      return ExitCode.ok;
    }
    say(total);
    const { samples, test } = await untilInterrupted((signal) => probe(target, program, plan, options, signal));
    if (samples.length === 0) throw captureError('stopped before the first probe ended');
    if (test !== null) say(`kept as ${test.id}`);
    writeProbe(options, { role: 'only', name: shown.url, probe: { plan: shown, samples: [...samples] } }, before, {
      host: target.host,
    });
    if (test?.state !== 'failed') return ExitCode.ok;
    throw captureError(test.message ?? 'a probe failed', `flamebench load show ${test.id} shows what is kept`);
  });
}

interface Probed {
  readonly samples: readonly ProbeSample[];
  /** Null: not kept. */
  readonly test: LoadTest | null;
}

async function probe(
  target: Target,
  program: string,
  plan: ProbePlan,
  { keep, name, library }: LoadOptions,
  signal: AbortSignal,
): Promise<Probed> {
  if (keep !== true) {
    return { samples: await runProbe(target, program, plan, signal).catch(asCaptureFailure), test: null };
  }
  const test = await withLoadTests(library, async (tests) => {
    const session = await startProbe(target, program, plan, { name: name ?? redactText(plan.url), tests });
    signal.addEventListener('abort', () => session.stop());
    if (signal.aborted) session.stop();
    return session.done.catch(asCaptureFailure);
  });
  return { samples: test?.probe?.samples ?? [], test };
}

/** Prints a series of probes, compared with an earlier one unless that is null. `test` is that of the library. */
export function writeProbe(
  options: LoadOptions,
  after: ProbeSide,
  before: ProbeSide | null,
  test: (Pick<LoadTest, 'host'> & Partial<LoadTest>) | null,
): void {
  const {
    plan: { url, restart, idle, preflight },
    samples,
  } = after.probe;
  const { id, name, state, message, commands, host = null } = test ?? {};
  writePrinted(options, {
    what: 'probes',
    text: () => describeProbe(after, before),
    json: () =>
      jsonText({
        ...(id === undefined ? {} : { id, name, state, message, commands }),
        url,
        host,
        restart,
        idle,
        ...(preflight === undefined ? {} : { preflight }),
        summary: probeSummary(samples),
        ...(before === null
          ? {}
          : { warnings: probeWarnings(before, after), shift: probeShifts(before.probe.samples, samples) }),
        samples,
        ...(after.probe.notes === undefined ? {} : { notes: after.probe.notes }),
      }),
    csv: () => asCsv([...(before === null ? [] : [before]), after]),
  });
}

interface ProbeRow {
  readonly role: ProbeSide['role'];
  readonly request: 'new connection' | 'kept connection';
  readonly phases: ProbePhases;
  readonly status: number;
}

/** Returns one line per request; times in seconds. */
function asCsv(sides: readonly ProbeSide[]): string {
  const rows = sides.flatMap(({ role, probe: { samples } }) =>
    samples.flatMap(({ cold, kept, status }): ProbeRow[] => [
      ...(cold === null ? [] : [{ role, request: 'new connection' as const, phases: cold, status }]),
      ...(kept === null ? [] : [{ role, request: 'kept connection' as const, phases: kept, status }]),
    ]),
  );
  const columns: ExportColumn<ProbeRow>[] = [
    { header: 'side', cell: ({ role }) => role },
    { header: 'request', cell: ({ request }) => request },
    ...phasesIn(rows.map(({ phases }) => phases)).map((phase) => ({
      header: `${phase} (s)`,
      cell: ({ phases }: ProbeRow) => phases[phase] ?? '',
    })),
    { header: 'status', cell: ({ status }) => status },
  ];
  return csvText([], columns, rows);
}

function idleOf(word: string): number {
  if (!/^\d{1,5}$/.test(word) || Number(word) > 86_400) throw usageError(`--idle ${word}: not 0 to 86400 seconds`);
  return Number(word);
}

function preflightOf({ preflight }: LoadOptions): Pick<ProbePlan, 'preflight'> {
  if (preflight === undefined) return {};
  if (probePlanSchema.shape.preflight.safeParse(preflight).success) return { preflight };
  throw usageError(`--preflight ${preflight}: not an origin`, 'give scheme and host of the page: https://app.example');
}

function timesOf(word: string): number {
  const times = /^\d{1,4}$/.test(word) ? Number(word) : 0;
  if (times < 1 || times > MAX_PROBES) throw usageError(`--repeat ${word}: not a number from 1 to ${MAX_PROBES}`);
  return times;
}

/** Returns the earlier probe: a file of `--json`, or a series of the library. */
async function beforeOf({ before, library }: LoadOptions): Promise<ProbeSide | null> {
  if (before === undefined) return null;
  const [word, ...others] = before;
  if (word === undefined || others.length > 0) throw usageError('load probe takes one --before');
  return probeSideOf(await findLoad(word, library), 'before');
}
