import { basename } from 'node:path';
import type { Command } from 'commander';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Target } from '#collectors/target/target.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { countText } from '#core/units/format.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { parseFailCondition, type FailCondition } from '../diff/fail-condition.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { checkPattern } from '../check-pattern.ts';
import { jsonText } from '../output/json-text.ts';
import { saveOutput } from '../output/output-file.ts';
import { print, say } from '../output/terminal.ts';
import { withTargets } from '../targets/cli-targets.ts';
import { CONFIG_FILE, parseGateConfig, type GateConfig } from './config.ts';
import { filesOfCommit } from './blob-link.ts';
import { readGateState, runnerKey, writeGateState, type GateRun } from './gate-state.ts';
import { judgeExperiment } from './judge.ts';
import { decideLook, looksAt, type GateDecision } from './interim-looks.ts';
import { declareGateOptions, readGateRequest, type GateRequest } from './options.ts';
import { decisionOf, type BenchmarkOutcome, type GateOutcome } from './outcome.ts';
import { gateAsJson, gateAsJunit, gateAsMarkdown, gateAsSarif, gateAsText } from './print.ts';
import { recordPairs, type RecordingPlace } from './record-pairs.ts';
import { openRepository } from './repository.ts';
import { build, runsIn, type Benchmark } from './sides.ts';
import { writeFinding } from './write-finding.ts';

export const ciCommand: CliCommand = {
  configure: declareGateOptions,

  async run(command: Command): Promise<ExitCode> {
    const request = readGateRequest(command);
    try {
      const outcome = await runGate(request);
      await writeOutcome(request, outcome);
      return EXIT[decisionOf(outcome)];
    } catch (error) {
      throw toCliError(error);
    }
  },
};

const EXIT: Readonly<Record<GateDecision, ExitCode>> = {
  passed: ExitCode.ok,
  failed: ExitCode.conditionFailed,
  inconclusive: ExitCode.inconclusive,
};

/** What is measured, and by which rules. */
interface Gate extends Pick<GateOutcome, 'commits' | 'changed' | 'notes'> {
  readonly owners: NonNullable<GateConfig['owners']>;
  readonly benchmarks: readonly (Benchmark & { readonly conditions: readonly FailCondition[] })[];
  /** True if no condition is given: what is not shown to grow passes. */
  readonly passesUndecided: boolean;
  readonly pairs: readonly [first: number, last: number];
  readonly minutes: number;
  readonly rateHz: number;
}

const DEFAULTS = { pairs: 10, mostPairs: 30, minutes: 30, rate: 999 } as const;
/** Any growth that is shown. */
const ANY_GROWTH = 'self(.*) > +0%';

async function runGate(request: GateRequest): Promise<GateOutcome> {
  const runner = runnerKey();
  const earlier = request.state === undefined ? [] : readGateState(request.state);
  return withTargets(async (targets) => {
    const target = await targets.open(LOCAL_TARGET);
    const gate = await prepare(target, request);
    const library = await openLibrary(request.library ?? defaultLibraryPath());
    try {
      const place: RecordingPlace = {
        library,
        experiments: await openExperiments(library),
        targets,
        rateHz: gate.rateHz,
      };
      const until = performance.now() + gate.minutes * 60_000;
      const benchmarks: BenchmarkOutcome[] = [];
      for (const [at, benchmark] of gate.benchmarks.entries()) {
        // Each gets its part of the time that is left.
        const left = (until - performance.now()) / (gate.benchmarks.length - at);
        const done = performance.now() + left;
        benchmarks.push(await runBenchmark(place, benchmark, gate, request.library, done));
      }
      const runs = benchmarks.map((one): GateRun => ({
        at: Date.now(),
        benchmark: one.name,
        isSelfTest: request.selfTest === true,
        decision: one.decision,
        pairs: one.pairs,
        splits: one.selfTest?.partitions ?? 0,
        falseAlarms: one.selfTest?.falseAlarms ?? 0,
        runner,
      }));
      if (request.state !== undefined) writeGateState(request.state, [...earlier, ...runs]);
      const owners = await ownersOf(benchmarks, gate.owners);
      const files = gate.commits === null ? null : filesOfCommit(process.env, gate.commits.head.hash);
      const alike = earlier.filter((one) => one.runner === runner);
      return { ...gate, benchmarks, owners, files, isSelfTest: request.selfTest === true, runs: [...alike, ...runs] };
    } finally {
      library.close();
    }
  });
}

/** Records a benchmark until a look decides, or the budget ends. */
async function runBenchmark(
  place: RecordingPlace,
  benchmark: Gate['benchmarks'][number],
  gate: Gate,
  library: string | undefined,
  until: number,
): Promise<BenchmarkOutcome> {
  const steps = looksAt(...gate.pairs);
  const looks = steps.length * gate.benchmarks.length;
  let id: string | null = null;
  for (const [step, pairs] of steps.entries()) {
    const from = performance.now();
    id = await recordPairs(place, benchmark, pairs - (steps[step - 1] ?? 0), id);
    const judged = await judgeExperiment(id, benchmark.conditions, library);
    // The next step takes about as long for each pair.
    const next = steps[step + 1];
    const each = (performance.now() - from) / (pairs - (steps[step - 1] ?? 0));
    const isLast = next === undefined || performance.now() + each * (next - pairs) > until;
    const decision = decideLook(judged.conditions, { looks, isLast, passesUndecided: gate.passesUndecided });
    if (decision !== null) {
      return { ...judged, name: benchmark.name, decision, pairs, looked: step + 1, experimentId: id };
    }
    say(`${benchmark.name}: not decided after ${pairs} runs a side; recording more`);
  }
  throw new RangeError('the last look decides');
}

/** Reads the rules, and builds the sides. */
async function prepare(target: Target, request: GateRequest): Promise<Gate> {
  if (request.programs !== null) {
    const { before, after } = request.programs;
    const own = { name: nameOf(request, after), argv: { before, after: request.selfTest === true ? before : after } };
    return gateOf(request, {}, [{ ...own, failOn: null }], { commits: null, changed: [], notes: [] });
  }
  const repository = await openRepository(target, process.cwd());
  const head = await repository.commit(request.head);
  const base = await repository.mergeBase(await repository.commit(baseOf(request)), head);
  const sides = { base, head: request.selfTest === true ? base : head };
  const where = `${CONFIG_FILE} of ${base.short}`;
  const content = await repository.readFile(base, CONFIG_FILE);
  const config = content === null ? {} : parseGateConfig(content, where);
  const asked =
    request.words.length > 0 ? [{ command: request.words, name: nameOf(request, request.words) }] : config.benchmarks;
  if (asked === undefined) {
    throw usageError(
      content === null ? `no benchmark: ${base.short} has no ${CONFIG_FILE}` : `no benchmark in ${where}`,
      'give a command after --, or add the file to the base',
    );
  }
  const changedFiles = await repository.uncommitted();
  const notes = [
    ...(changedFiles === 0
      ? []
      : [
          `${countText(changedFiles, 'uncommitted file')} of this checkout ${changedFiles === 1 ? 'was' : 'were'} not measured`,
        ]),
    ...(content === null && request.words.length > 0 ? [`${base.short} has no ${CONFIG_FILE}: default rules`] : []),
  ];
  for (const { functions } of config.owners ?? []) checkPattern(functions, `${where}: owners`);
  // Rules are checked before anything is built.
  gateOf(request, config, [], { commits: sides, changed: [], notes });
  const line = request.build ?? config.build ?? null;
  const folders: Record<'base' | 'head', string> = { base: '', head: '' };
  for (const side of ['base', 'head'] as const) {
    const what = `${side} (${sides[side].short})`;
    say(`${what}: ${line === null ? 'check out' : `check out and build: ${line}`}`);
    folders[side] = await repository.checkOut(sides[side]);
    if (line !== null) await build(target, { folder: folders[side], line, what });
  }
  const benchmarks = asked.map(({ command, name, ...rules }): Benchmark => {
    const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
    const inFolder = (side: 'base' | 'head'): string[] => runsIn(folders[side], argv, process.env);
    return {
      name: name ?? basename(typeof command === 'string' ? command.split(' ')[0]! : command[0]!),
      argv: { before: inFolder('base'), after: inFolder('head') },
      failOn: 'failOn' in rules ? (rules.failOn ?? null) : null,
    };
  });
  const changed = await repository.changedLines(sides.base, sides.head);
  return gateOf(request, config, benchmarks, { commits: sides, changed, notes });
}

/** The command line takes precedence over the file. */
function gateOf(
  request: GateRequest,
  config: GateConfig,
  benchmarks: readonly Benchmark[],
  found: Pick<Gate, 'commits' | 'changed' | 'notes'>,
): Gate {
  const ofAll = request.failOn ?? config.failOn ?? null;
  const first = request.pairs ?? config.pairs ?? DEFAULTS.pairs;
  const last = request.mostPairs ?? config.mostPairs ?? Math.max(first, DEFAULTS.mostPairs);
  if (last < first) throw usageError(`--most-pairs ${last} is below --pairs ${first}`, 'give at least as many');
  const failOn = (own: readonly string[] | null): readonly string[] => request.failOn ?? own ?? ofAll ?? [ANY_GROWTH];
  const isDefault = ofAll === null && benchmarks.every((one) => one.failOn === null);
  return {
    ...found,
    benchmarks: benchmarks.map((one) => ({ ...one, conditions: failOn(one.failOn).map(parseFailCondition) })),
    passesUndecided: isDefault,
    pairs: [first, last],
    minutes: request.minutes ?? config.minutes ?? DEFAULTS.minutes,
    rateHz: request.rate ?? config.rate ?? DEFAULTS.rate,
    owners: config.owners ?? [],
  };
}

/** Returns the owner of each function beyond a limit: that of the first pattern which matches. */
async function ownersOf(
  benchmarks: readonly BenchmarkOutcome[],
  owners: NonNullable<GateConfig['owners']>,
): Promise<Map<string, string>> {
  const beyond = benchmarks.flatMap(({ conditions }) => conditions.flatMap((one) => one.beyond));
  const names = [...new Set(beyond.map(({ name }) => name))];
  const patterns = createLimitedPatternRunner(() => `${CONFIG_FILE}: an owner's functions`);
  const found = new Map<string, string>();
  for (const { functions, owner } of owners) {
    const matches = await patterns.match(names, { pattern: functions, ignoreCase: false });
    for (const [place, name] of names.entries()) if (matches[place] === 1 && !found.has(name)) found.set(name, owner);
  }
  return found;
}

const nameOf = ({ name }: GateRequest, argv: readonly string[]): string => name ?? basename(argv[0]!);

/** Returns the base that the request or the CI system names. */
function baseOf({ base }: GateRequest): string {
  const { GITHUB_BASE_REF: github = '', CI_MERGE_REQUEST_DIFF_BASE_SHA: gitlab = '' } = process.env;
  const named = base ?? (github === '' ? gitlab : `origin/${github}`);
  if (named !== '') return named;
  throw usageError('no base', 'give --base REF, or two programs: -- BASE… -- HEAD…');
}

async function writeOutcome(request: GateRequest, outcome: GateOutcome): Promise<void> {
  const files = [
    [request.comment, gateAsMarkdown],
    [request.junit, gateAsJunit],
    [request.sarif, gateAsSarif],
  ] as const;
  for (const [path, write] of files) if (path !== undefined) saveOutput(path, request, write(outcome));
  if (request.html !== undefined) await writeReports(request.html, request, outcome);
  print(request.json === true ? jsonText(gateAsJson(outcome)) : gateAsText(outcome));
}

/** Writes the report of each benchmark: `x.html`, with several `x-1.html`, `x-2.html`, …. */
async function writeReports(path: string, request: GateRequest, { benchmarks }: GateOutcome): Promise<void> {
  for (const [at, { experimentId }] of benchmarks.entries()) {
    const own = benchmarks.length === 1 ? path : path.replace(/(\.html?)?$/i, `-${at + 1}$1`);
    await writeFinding(experimentId, own, request);
  }
}
