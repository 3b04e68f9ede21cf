import { resolve } from 'node:path';
import type * as z from 'zod';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { MAX_SOURCES, parseLoadSeries, splitMetrics } from '#core/contract/load/series.ts';
import { LOAD_RECIPES, loadProfile, type LoadProfile } from '#core/contract/load/profile.ts';
import { readTypedAddress } from '#core/contract/pprof.ts';
import { loadPlanSchema, type LoadPlan, type ServerMachine } from '#core/contract/load/load-test.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { readComponent, type AskedComponent, type AskedComponents } from '#core/contract/load/component.ts';
import { EngineFailure } from '#app/engine/failure.ts';
import { checkUrl, isLoopback } from '#app/engine/loads/check-url.ts';
import { findComponents } from '#app/engine/loads/find-components.ts';
import { planLoad, plannedText, type PlannedLoad } from '#app/engine/loads/plan-load.ts';
import { startLoad, type LoadProgress } from '#app/engine/loads/run-load.ts';
import { createLoadText, stepTitle } from '#core/load/load-text.ts';
import { DEFAULT_CONCURRENCIES, HIGH_CONCURRENCIES, planProblem } from '#core/load/plan-load.ts';
import { loadMetric } from '#core/load/sweep.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { ExitCode } from '../command.ts';
import { captureError, usageError } from '../errors.ts';
import { jsonText } from '../output/json-text.ts';
import { print, say, warn } from '../output/terminal.ts';
import { withTargets, type CliTargets } from '../targets/cli-targets.ts';
import { writeSweep } from './print.ts';
import { withLoadTests } from './inputs.ts';
import { kneeBoundOf } from './knee.ts';
import type { LoadOptions } from './load-options.ts';

const text = createLoadText('en');

/** Runs a sweep against the address that the user typed, and stores it. */
export async function runLoad(words: readonly string[], options: LoadOptions): Promise<ExitCode> {
  const [url, ...others] = words;
  if (url === undefined || others.length > 0) throw usageError('load run wants one URL');
  checkUrl(url);
  const find = findsServer(url, options);
  checkServer(options, find);
  return withTargets(async (targets) => {
    const idOf = (name: string): Promise<string> => targets.resolveOne(name);
    const id = await idOf(options.target ?? LOCAL_TARGET);
    const machines: ServerMachine[] = [];
    for (const { name, pids } of processesOf(options))
      machines.push({ target: name === null ? id : await idOf(name), pids });
    if (find !== 'no' || options.component !== undefined) {
      const where = options.server === undefined ? id : await idOf(options.server);
      const given = machines.findIndex(({ target: one }) => one === where);
      const { machine, sentence } = await findComponents(await targets.open(where), {
        url,
        find,
        isServer: options.server !== undefined,
        components: componentsOf(options),
        pids: machines[given]?.pids ?? [],
      }).catch(asCaptureFailure);
      if (sentence !== null) say(sentence);
      if (given >= 0) machines.splice(given, 1);
      if (machine !== null) machines.unshift({ target: where, ...machine });
    }
    const senders = await sendersOf(targets, id, options.source);
    const plan = planOf(url, options, machines, senders);
    const target = await targets.open(id);
    const planned = await planLoad(target, plan, {
      open: (targetId) => targets.open(targetId),
      collector: collectorsWith({}),
    }).catch(asCaptureFailure);
    const total = plannedText(planned, target.host);
    if (options.dryRun === true) {
      print(options.json === true ? jsonText({ total, ...documentOf(planned) }) : dryRunText(total, planned));
      return ExitCode.ok;
    }
    say(total);
    if (planned.leftOut !== null) warn(planned.leftOut);
    const test = await withLoadTests(options.library, async (tests, library) => {
      const session = await startLoad(target, planned, {
        name: options.name ?? redactText(url),
        tests,
        recordedInto: { library, journal: targets.registry.journal },
        onProgress: writeProgress,
      });
      const signals = onSignals(() => session.stop());
      try {
        return await session.done.catch(asCaptureFailure);
      } finally {
        signals.off();
      }
    });
    if (test === null) throw captureError('stopped before the first run ended; nothing is kept');
    const sweep = sweepOfTest(test);
    writeSweep(options, sweep, { test });
    if (test.state !== 'failed') return ExitCode.ok;
    throw captureError(test.message ?? 'the load test failed', `flamebench load show ${test.id} shows what is kept`);
  });
}

/** Returns the IDs of the other machines that send; `first` is not among them. */
export async function sendersOf(
  targets: CliTargets,
  first: string,
  names: readonly string[] = [],
): Promise<readonly string[]> {
  const senders: string[] = [];
  for (const name of names) senders.push(await targets.resolveOne(name));
  if (new Set([first, ...senders]).size > senders.length) return senders;
  throw usageError('--source names a machine twice', 'name each once, and not the one that sends anyway');
}

/**
 * Returns whether the server's processes are found by its port: by default on the machine of a loopback address, or
 * that of `--server`. Only a profile needs them.
 */
function findsServer(url: string, { pid, component, server, profile }: LoadOptions): AskedComponents['find'] {
  if (pid !== undefined) return pid === 'auto' ? 'auto' : 'no';
  if (component !== undefined || (server === undefined && !isLoopback(url))) return 'no';
  return profile === undefined ? 'if-found' : 'auto';
}

export const componentsOf = ({ component = [] }: Pick<LoadOptions, 'component'>): AskedComponent[] =>
  component.map((word) => {
    const asked = readComponent(splitMetrics(word)?.component ?? word);
    if (asked !== null) return asked;
    throw usageError(
      `--component ${word}: not NAME=PID, NAME=:PORT or NAME=GROUP`,
      'for example gateway=812, gateway=nginx.service, app=:8080 or app=:8080,metrics=http://127.0.0.1:8081/metrics',
    );
  });

/** Rethrows a failure of the tool or the server with exit code 4; others, such as an invalid URL, unchanged. */
export function asCaptureFailure(error: unknown): never {
  if (error instanceof EngineFailure && error.code !== 'invalid-url' && error.code !== 'invalid-arguments')
    throw captureError(error.message, error.remedy, error.code);
  throw error;
}

/** The collectors that `--profile` takes. */
const PROFILERS = ['perf', 'pprof', 'node', 'java', 'python', 'bpftrace', 'stap'] as const;

/** Options that only some collectors take, and the collectors that do. */
const PROFILE_OPTIONS = [
  { option: 'profileAt', name: '--profile-at', of: PROFILERS },
  { option: 'profileUrl', name: '--profile-url', of: ['pprof'] },
  { option: 'recipe', name: '--recipe', of: ['bpftrace', 'stap'] },
  { option: 'rate', name: '--rate', of: ['perf', 'python', 'bpftrace', 'stap'] },
  { option: 'sudo', name: '--sudo', of: ['perf', 'python', 'bpftrace', 'stap'] },
] as const;

/** Checks the options about the server, before its processes are looked for. */
export function checkServer(options: LoadOptions, find: AskedComponents['find']): void {
  const { pid, server, profile, profileAt } = options;
  if (profile !== undefined && !PROFILERS.some((one) => one === profile))
    throw usageError(`--profile ${profile}: unknown collector`, `use ${PROFILERS.join(', ')}`);
  const isNone = pid === false || pid === 'none';
  const isWatched = find !== 'no' || (pid !== undefined && !isNone) || options.component !== undefined;
  if (profile !== undefined && !isWatched)
    throw usageError('--profile needs the server’s process', 'give --pid or --component');
  if (server !== undefined && !isWatched) throw usageError('--server needs processes to watch', 'leave out --no-pid');
  for (const { option, name, of } of PROFILE_OPTIONS) {
    if (options[option] !== undefined && !of.some((one) => one === profile))
      throw usageError(`${name} is for --profile ${of.join(', ')}`);
  }
  if (profileAt !== undefined && profileAt !== 'each' && profileAt !== 'knee')
    throw usageError(`--profile-at ${profileAt}: unknown place`, 'use each or knee');
}

/** Returns the processes of `--pid` by machine: `4711,gateway=812`. Null names the machine that sends the requests. */
function processesOf({ pid, server }: LoadOptions): { readonly name: string | null; readonly pids: number[] }[] {
  const byName = new Map<string | null, number[]>();
  const isNamed = pid !== undefined && pid !== false && pid !== 'auto' && pid !== 'none';
  for (const word of isNamed ? pid.split(',') : []) {
    const [, name = server ?? null, number = ''] = /^(?:(.+)=)?([^=]*)$/.exec(word.trim()) ?? [];
    const pids = byName.get(name) ?? [];
    byName.set(name, pids);
    pids.push(wholeOf('--pid', number));
    if (new Set(pids).size !== pids.length) throw usageError('--pid names a process twice', 'name each once');
  }
  return [...byName].map(([name, pids]) => ({ name, pids }));
}

/** Returns what to observe on the server's machines, in the form of the plan's schema. */
function serverOf(options: LoadOptions, machines: readonly ServerMachine[]) {
  const [first, ...others] = machines;
  if (first === undefined) return {};
  const processes = machines.flatMap(({ pids }) => pids).length;
  const profile = profileOf(options, processes);
  return { server: { ...first, ...(others.length === 0 ? {} : { others }), profile } };
}

function seriesOf({ series = [], component = [] }: LoadOptions) {
  const histograms = component.flatMap((word) => splitMetrics(word)?.source ?? []);
  if (series.length + histograms.length > MAX_SOURCES)
    throw usageError(
      `${series.length} times --series${histograms.length === 0 ? '' : ` and ${histograms.length} times metrics=`}`,
      `give at most ${MAX_SOURCES}`,
    );
  const read = series.map((text) => {
    const source = parseLoadSeries(text);
    if (source !== null) return source;
    throw usageError(
      `--series ${JSON.stringify(text.slice(0, 100))} is not a source`,
      'give http://HOST:PORT/metrics, statsd:PORT, node:PID, probe:RATE (1 to 50), probe:RATE,HEADER or a CSV file',
    );
  });
  const all = [...read, ...histograms];
  return all.length === 0 ? {} : { series: all };
}

function profileOf(options: LoadOptions, processes: number): LoadProfile | null {
  const { profileUrl = null, recipe = 'on-cpu' } = options;
  const profile = PROFILERS.find((one) => one === options.profile);
  if (profile === undefined) return null;
  const at = options.profileAt === 'knee' ? 'knee' : 'each';
  if (profile === 'pprof') {
    const read = profileUrl === null ? null : readTypedAddress(profileUrl);
    if (profileUrl !== null && (read === null || read.credentials !== null))
      throw usageError('--profile-url is not an address of a service', 'give http://HOST:PORT/ without a password');
    if (profileUrl !== null && processes > 1)
      throw usageError('--profile-url is for one --pid', 'leave it out: each address is found by its process');
    return loadProfile(profile, { at, url: read?.url ?? null });
  }
  const known = LOAD_RECIPES.find((id) => id === recipe);
  if (known === undefined)
    throw usageError(`--recipe ${recipe}: not a recipe for load tests`, `use ${LOAD_RECIPES.join(', ')}`);
  const rateHz = options.rate === undefined ? undefined : wholeOf('--rate', options.rate);
  return loadProfile(profile, { at, rateHz, recipe: known, asRoot: options.sudo });
}

const TOOLS = ['wrk', 'hey', 'locust'] as const;

export function planOf(
  url: string,
  options: LoadOptions,
  machines: readonly ServerMachine[],
  senders: readonly string[] = [],
): LoadPlan {
  const { tool = 'wrk', concurrency, seconds = '30', repeat = '3', warmUp = '3', coolDown = '1', threads } = options;
  if (!TOOLS.some((one) => one === tool)) throw usageError(`--tool ${tool}: unknown tool`, `use ${TOOLS.join(', ')}`);
  if (options.staircase === true && options.coolDown !== undefined)
    throw usageError('--staircase has no pauses', 'leave --cool-down out');
  const isLocal = (options.target ?? LOCAL_TARGET) === LOCAL_TARGET;
  const script = options.script ?? null;
  const numbers =
    concurrency === undefined
      ? [...DEFAULT_CONCURRENCIES]
      : concurrency === 'high'
        ? [...HIGH_CONCURRENCIES]
        : concurrency.split(',').map((word) => wholeOf('--concurrency', word.trim()));
  if (new Set(numbers).size !== numbers.length) throw usageError('--concurrency names a number twice', 'use --repeat');
  const knee = kneeBoundOf(options);
  const parsed = loadPlanSchema.safeParse({
    tool,
    url,
    headers: options.header ?? [],
    // Locust runs in a folder of its own.
    script: script !== null && tool === 'locust' && isLocal ? resolve(script) : script,
    concurrencies: numbers.toSorted((a, b) => a - b),
    seconds: wholeOf('--seconds', seconds),
    repeats: wholeOf('--repeat', repeat),
    warmUp: wholeOf('--warm-up', warmUp),
    coolDown: options.staircase === true ? 0 : wholeOf('--cool-down', coolDown),
    ...(options.shortConnections && { shortConnections: true }),
    ...(options.staircase && { staircase: true }),
    threads: threads === undefined ? null : wholeOf('--threads', threads),
    ...(senders.length === 0 ? {} : { senders }),
    ...serverOf(options, machines),
    ...seriesOf(options),
    ...(knee === null ? {} : { knee }),
  });
  if (parsed.success) {
    const problem = planProblem(parsed.data);
    if (problem !== null) throw usageError(...problem);
    return parsed.data;
  }
  throw usageError(problemOf(parsed.error.issues[0]!), 'flamebench load --help lists the options');
}

/** What a field of the plan is called on the command line. */
const WRITTEN: ReadonlyMap<unknown, string> = new Map([
  ['url', 'URL'],
  ['headers', '--header'],
  ['script', '--script'],
  ['concurrencies', '--concurrency'],
  ['seconds', '--seconds'],
  ['repeats', '--repeat'],
  ['warmUp', '--warm-up'],
  ['coolDown', '--cool-down'],
  ['threads', '--threads'],
  ['rateHz', '--rate'],
  ['senders', '--source'],
  ['server', '--pid'],
  ['pids', '--pid'],
]);

/** Names the option of an invalid field, and its bound. */
function problemOf(issue: z.core.$ZodIssue): string {
  const field = issue.path.findLast((part) => WRITTEN.has(part));
  const option = WRITTEN.get(field) ?? issue.path.join('.');
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return `${option}: ${issue.message}`;
  if (issue.code === 'too_small') {
    // The least length of a text is 1.
    if (issue.origin === 'string') return `${option} is empty`;
    return `${option} must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}`;
  }
  const most = `at most ${issue.maximum}`;
  if (issue.origin === 'string') return `${option} must have ${most} characters`;
  return `${option} ${issue.origin === 'array' ? 'takes' : 'must be'} ${most}`;
}

function wholeOf(option: string, word: string): number {
  if (!/^\d{1,7}$/.test(word)) throw usageError(`${option} ${word}: not a whole number`);
  return Number(word);
}

const documentOf = ({ plan, leftOut, commands }: PlannedLoad) => ({
  plan: { ...plan, url: redactText(plan.url), headers: plan.headers.map(redactText) },
  leftOut,
  commands,
});

const dryRunText = (total: string, { leftOut, commands }: PlannedLoad): string =>
  [total, ...(leftOut === null ? [] : [leftOut]), ...commands.map((argv) => `  ${quoteArgv(argv)}`)]
    .map((line) => `${line}\n`)
    .join('');

export function writeProgress({ done, planned, concurrency, phase, result }: LoadProgress): void {
  const place = `${Math.min(planned, done + (result === null ? 1 : 0))}/${planned}`;
  if (result === null) {
    if (phase === 'run') say(`${place}  ${stepTitle({ concurrency })} …`);
    return;
  }
  const value = (id: 'qps' | 'mean' | 'success'): string => text.value(loadMetric(id), loadMetric(id).read(result));
  say(
    `${place}  ${stepTitle({ concurrency })}: ${value('qps')} QPS, mean ${value('mean')}, ${value('success')} succeeded`,
  );
}

/** Stops at the first INT or TERM, keeping the finished runs; a second one ends the process immediately. */
export function onSignals(stop: () => void): { off(): void } {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const end = (): void => {
    say('stopping; complete runs are kept');
    stop();
    off();
  };
  const off = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return { off };
}
