import { Command } from 'commander';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { Watched } from '#core/contract/load/load-test.ts';
import type { SideServer } from '#core/contract/load/experiment.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import { createDecider, LOOKS, type Question } from '#core/load/decide.ts';
import { decisionText, experimentLines, experimentName } from '#core/load/experiment-plan.ts';
import { LOAD_METRICS } from '#core/load/sweep.ts';
import { countText } from '#core/units/format.ts';
import type { Experiments } from '#app/engine/experiments/experiments.ts';
import { checkUrl } from '#app/engine/loads/check-url.ts';
import { isHere, watchedLines } from '#app/engine/loads/experiment-session.ts';
import { planLoad, type ServerAccess } from '#app/engine/loads/plan-load.ts';
import { runExperiment } from '#app/engine/loads/run-experiment.ts';
import { openLoadTests } from '#app/engine/loads/load-tests.ts';
import type { Library } from '#app/engine/library/library.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { ExitCode } from '../command.ts';
import { captureError, usageError } from '../errors.ts';
import { libraryWords } from '../library/library-option.ts';
import { readGate } from '../load/diff.ts';
import { changesOf, conclusion, findingLines, type LoadFindings } from './conclusion.ts';
import type { RunOptions } from './run-options.ts';
import {
  asCaptureFailure,
  checkServer,
  componentsOf,
  onSignals,
  planOf,
  sendersOf,
  writeProgress,
} from '../load/run.ts';
import { askYes } from '../output/ask-yes.ts';
import { jsonText } from '../output/json-text.ts';
import { openOutput } from '../output/output-file.ts';
import { asLines, catchOutput, print, say, warn } from '../output/terminal.ts';
import { canReadKeys } from '../record/restart-key.ts';
import { readReportRequest } from '../report/options.ts';
import { reportCommand } from '../report/report.ts';
import { withTargets } from '../targets/cli-targets.ts';

/** Loads two sides of a server in turn, keeps an experiment, and prints what it shows. */
export async function runSides(
  { library, experiments }: { readonly library: Library; readonly experiments: Experiments },
  words: readonly string[],
  options: RunOptions,
): Promise<ExitCode> {
  const sides = sidesOf(words, options);
  const report = reportTo(options);
  const gate = readGate(options);
  const { profile: asked, ...load } = { concurrency: '50', seconds: '10', profile: 'perf', ...options, output: STDIO };
  const profiled = asked === 'none' ? {} : { profile: asked };
  const question = questionOf(options);
  const minutes = whole('--minutes', options.minutes ?? '10', 1440);
  const pairs = question === null ? whole('--repeat', options.repeat ?? '5', 100) : LOOKS.at(-1)!;
  const readySeconds = whole('--ready-seconds', options.readySeconds ?? '30', 3600);
  const server = {
    cwd: options.cwd ?? null,
    env: envOf(options),
    ready: options.ready ?? null,
    readySeconds,
    ...watchedOptions(sides, options),
  };
  const plan = (side: Side, watched: Watched | null, senders: readonly string[] = [], repeats = 1) => {
    const one = { ...load, repeat: String(repeats), ...(watched === null ? {} : profiled) };
    return planOf(sides[side].url, one, watched === null ? [] : [{ target: LOCAL_TARGET, ...watched }], senders);
  };
  // Errors of the options come before anything runs.
  for (const url of [...SIDES.map((side) => sides[side].url), ...(options.ready === undefined ? [] : [options.ready])])
    checkUrl(url);
  for (const side of SIDES) plan(side, null, [], pairs);
  checkServer({ ...load, ...profiled, pid: '1' }, 'no');
  const recorded = asked === 'none' ? null : (plan('before', { pids: [1] }, [], pairs).server?.profile ?? null);
  const budget = question === null ? null : minutes;
  if (options.profile !== undefined && options.profile !== 'none' && SIDES.some((side) => !isHere(sides[side])))
    throw usageError('--profile records servers on this machine', 'leave it out, or give addresses of 127.0.0.1');
  return withTargets(async (targets) => {
    const target = await targets.open(LOCAL_TARGET);
    const senders = await sendersOf(targets, LOCAL_TARGET, options.source);
    const access: ServerAccess = {
      open: (id) => targets.open(id),
      collector: collectorsWith({}),
    };
    // Series name components, which are known once a side runs.
    const { series: _, ...unwatched } = plan('before', null, senders);
    const first = await planLoad(target, unwatched, access).catch(asCaptureFailure);
    const watched = await watchedLines(target, { sides, server }).catch(asCaptureFailure);
    const others = first.senders.map((sender) => sender.target.host);
    for (const line of experimentLines(sides, pairs, first.plan, budget, recorded, watched, others)) say(line);
    if (first.leftOut !== null) warn(first.leftOut);
    if (options.dryRun === true) return ExitCode.ok;
    await confirm(sides, options);
    const tests = await openLoadTests(library);
    const ending = new AbortController();
    const signals = onSignals(() => ending.abort());
    const until = performance.now() + minutes * 60_000;
    const decider =
      question &&
      createDecider(
        question,
        () => performance.now() > until,
        (turns) => say(`${question.metric.label} is not decided after ${countText(turns, 'turn')} of each side`),
      );
    const ran = await runExperiment(target, {
      name: options.name ?? experimentName(sides),
      tests,
      experiments,
      sides,
      server,
      pairs,
      isDecided: decider?.isDecided ?? (() => false),
      planOf: (side, watched) => plan(side, watched, senders),
      access,
      recordedInto: { library, journal: targets.registry.journal },
      signal: ending.signal,
      onTurn: ({ side, round }) => say(`${side}, turn ${round} of ${pairs}`),
      onWatched: (side, sentence) => say(`${side}: ${sentence}`),
      onProgress: writeProgress,
    })
      .catch(asCaptureFailure)
      .finally(() => signals.off());
    if (ran === null) throw captureError('stopped before each side had a run; nothing is kept');
    const { experiment } = ran.state;
    const conclude = (): Promise<LoadFindings> => conclusion(experiment.id, ran, options.library);
    // The report reads the same captures, with the same warnings.
    const found = report === null ? await conclude() : (await catchOutput(conclude)).result;
    const results = gate.judge(found.loads);
    const decision = question === null ? [] : [decisionText(question, decider?.decision() ?? null)];
    if (options.json === true) {
      const loads = { before: ran.before.id, after: ran.after.id };
      print(
        jsonText({
          experiment: experiment.id,
          loads,
          failure: ran.failure?.message ?? null,
          conclusion: [...decision, ...found.sentences],
          ...changesOf(found),
        }),
      );
    } else {
      const next = ['flamebench', 'report', experiment.id, ...libraryWords(options.library), '-o', 'report.html'];
      const last = report === null ? ['', `Next: ${quoteArgv(next)}`] : [];
      print(asLines([`${experiment.name} (${experiment.id})`, '', ...decision, ...findingLines(found), ...last]));
    }
    if (report !== null) {
      await report(experiment.id);
      say(`the report is ${options.output}`);
    }
    if (ran.failure !== null) throw captureError(ran.failure.message.replace(/\.$/, ''), 'complete runs are kept');
    return gate.tell(results);
  });
}

/** Returns the sides: `URL -- BEFORE… -- AFTER…`, two addresses, or two commands that switch one server. */
function sidesOf(words: readonly string[], options: RunOptions): Readonly<Record<Side, SideServer>> {
  const { beforeUrl, afterUrl, switchBefore, switchAfter } = options;
  const pair = <T>(name: string, before: T | undefined, after: T | undefined): { before: T; after: T } | null => {
    if (before === undefined && after === undefined) return null;
    if (before !== undefined && after !== undefined) return { before, after };
    throw usageError(
      `${name} needs both sides`,
      `give --before-${name} and --after-${name}`.replace(/--(before|after)-switch/g, '--switch-$1'),
    );
  };
  const urls = pair('url', beforeUrl, afterUrl);
  const switches = pair('switch', switchBefore, switchAfter);
  if (urls !== null && switches === null && words.length === 0) {
    return {
      before: { url: urls.before, start: null, change: null },
      after: { url: urls.after, start: null, change: null },
    };
  }
  const [url, ...commands] = words;
  if (url === undefined || urls !== null) {
    throw usageError(
      'experiment run wants one kind of sides',
      'give URL -- BEFORE… -- AFTER…, --before-url and --after-url, or URL with --switch-before and --switch-after',
    );
  }
  if (switches !== null && commands.length === 0) {
    const side = (line: string): SideServer => ({ url, start: null, change: ['sh', '-c', line] });
    return { before: side(switches.before), after: side(switches.after) };
  }
  const at = commands.indexOf('--');
  const [before, after] = [commands.slice(0, Math.max(0, at)), commands.slice(at + 1)];
  if (switches !== null || at < 0 || before.length === 0 || after.length === 0 || after.includes('--')) {
    throw usageError(
      'experiment run wants two commands',
      'give URL -- BEFORE… -- AFTER…; wrap one that contains -- in sh -c',
    );
  }
  return { before: { url, start: before, change: null }, after: { url, start: after, change: null } };
}

/** Checks `--output`, and returns what writes the report of an experiment there; null: no report was asked for. */
function reportTo({ output, force, library }: RunOptions): ((id: string) => Promise<unknown>) | null {
  if (output === undefined) return null;
  if (output === STDIO) throw usageError('the conclusion is on stdout', 'name a file for the report: -o report.html');
  const commandOf = (id: string): Command => {
    const command = new Command();
    reportCommand.configure(command);
    return command.parse([id, '-o', output, ...(force ? ['--force'] : []), ...libraryWords(library)], { from: 'user' });
  };
  readReportRequest(commandOf('experiment'));
  openOutput(output, { force }).discard();
  return (id) => reportCommand.run(commandOf(id));
}

/** Returns what the experiment goes on for; null: a number of turns. */
function questionOf({ untilDecided, smallerThan, repeat, minutes }: RunOptions): Question | null {
  if (untilDecided === undefined) {
    if (smallerThan === undefined && minutes === undefined) return null;
    throw usageError('--smaller-than and --minutes need --until-decided', 'give it with a metric: --until-decided cpu');
  }
  if (repeat !== undefined) throw usageError('--repeat and --until-decided exclude each other');
  const metric = LOAD_METRICS.find(({ id }) => id === untilDecided);
  if (metric === undefined) {
    throw usageError(
      `--until-decided ${untilDecided}: unknown metric`,
      `use ${LOAD_METRICS.map(({ id }) => id).join(', ')}`,
    );
  }
  const percent = Number(smallerThan?.replace(/%$/, '') ?? Number.NaN);
  if (smallerThan !== undefined && !(percent > 0 && percent < 100))
    throw usageError(`--smaller-than ${smallerThan}: no percentage between 0 and 100`);
  return { metric, smallerThan: smallerThan === undefined ? null : percent / 100 };
}

/** Returns the processes to watch besides those that are found. */
function watchedOptions(sides: Readonly<Record<Side, SideServer>>, options: RunOptions) {
  const { pid, profile, component } = options;
  const components = componentsOf(options);
  if (pid === false && (component !== undefined || (profile !== undefined && profile !== 'none')))
    throw usageError('--no-pid watches no process', 'leave it out, or --component and --profile');
  if (sides.before.start !== null && components.some(({ isPort }) => !isPort))
    throw usageError('--component NAME=PID and NAME=GROUP are for servers that run already', 'use NAME=:PORT');
  return {
    ...(component === undefined ? {} : { components }),
    ...(pid === false ? { isUnwatched: true as const } : {}),
  };
}

function envOf({ env = [] }: RunOptions): Record<string, string> {
  const pairs = env.map((word) => /^([^=]+)=(.*)$/s.exec(word) ?? []);
  const wrong = pairs.findIndex(([, name]) => name === undefined);
  if (wrong >= 0) throw usageError(`--env ${env[wrong]}: no NAME=VALUE`);
  return Object.fromEntries(pairs.map(([, name, value]) => [name!, value!]));
}

function whole(option: string, word: string, most: number): number {
  const value = Number(word);
  if (!/^\d{1,4}$/.test(word) || value < 1 || value > most)
    throw usageError(`${option} ${word}: not a whole number from 1 to ${most}`);
  return value;
}

/** Switching commands change a server that others may use. */
async function confirm(sides: Readonly<Record<Side, SideServer>>, { yes }: RunOptions): Promise<void> {
  if (sides.before.change === null || yes === true) return;
  if (!canReadKeys()) throw usageError('the commands that switch the server need a confirmation', 'add --yes');
  if (!(await askYes('Switch the server with these commands before each turn?')))
    throw usageError('not confirmed; nothing ran');
}
