import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { describeContainer, type ContainerAddress } from '#core/contract/container-address.ts';
import { recordArgv } from '#core/contract/corrected-recording.ts';
import { ENV_WORD } from '#core/contract/limits.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { cgroupPathSchema, type CollectorOptions, type PerfOptions, type Scope } from '#core/contract/schemas.ts';
import { MAX_STACK_BYTES } from '#core/contract/limits.ts';
import { isPreparedPython, PYTHON_STACKS } from '#core/contract/python-launch.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { findGroup, type NamedGroup } from '#collectors/target/find-group.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { findContainer } from '#app/engine/targets/container-target.ts';
import { captureError, usageError } from '../../errors.ts';
import { collect, seconds, wholeNumberOption } from '../../option-values.ts';
import { say } from '../../output/terminal.ts';
import {
  collectPids,
  declareSeriesOptions,
  ofTarget,
  readSeries,
  type AskedRecording,
  type RecordRow,
  type SeriesFlags,
  noNextStep,
  type NextStep,
} from '../series-options.ts';

type AskedScopes = readonly [AskedScope, AskedScope?];
/** A process, container, pod or unit may be given by name, which is resolved on the target. */
type AskedScope =
  | Scope
  | { readonly kind: 'process'; readonly name: string }
  | NamedGroup
  | { readonly kind: 'address'; readonly address: ContainerAddress };

interface PerfFlags extends SeriesFlags {
  readonly pid?: readonly number[];
  readonly startTicks?: string;
  readonly process?: string;
  readonly beforePid?: readonly number[];
  readonly afterPid?: readonly number[];
  readonly system?: true;
  readonly container?: string;
  readonly pod?: string;
  readonly unit?: string;
  readonly cgroup?: string;
  readonly rate: number;
  readonly event?: string;
  readonly callGraph: PerfOptions['callGraph'];
  readonly stackBytes?: number;
  readonly seconds?: number;
  readonly keepPerfData?: true;
  readonly sudo?: true;
  readonly exitCode?: 'program' | 'capture';
  readonly cwd?: string;
  readonly env?: readonly string[];
}

const DEFAULT_RATE_HZ = 99;

export const perfRow: RecordRow = {
  id: 'perf',
  summary: 'record a process, a command or the whole system with perf',
  example: 'flamebench record perf --seconds 10 --repeat 5 -- ./server --bench',
  declare,
  read: readPerfRequest,
  nextStep,
};

function declare(command: Command): void {
  command
    .argument('[command...]', 'after --: the command to launch and record')
    .option('--pid <pid>', 'record this process; with several targets, one PID for each, in order', collectPids)
    .option(
      '--start-ticks <ticks>',
      'with one --pid: its startTicks in ps --json; a later process with that PID is refused',
      ticks,
    )
    .option('--process <name>', 'record the busiest process of this name')
    .option('--system', 'record everything that runs')
    .option('--container <name>', 'record a whole container, by its name or id')
    .option('--pod <pod>', 'record a whole Kubernetes pod: NAMESPACE/NAME, or its UID')
    .option('--unit <unit>', 'record a whole systemd unit: nginx.service')
    .option('--cgroup <path>', 'record a control group and those below it: /system.slice/nginx.service', cgroupPath)
    .option('--rate <hertz>', 'samples per second and CPU', wholeNumberOption(1, 50_000), DEFAULT_RATE_HZ)
    .option('--event <event>', 'event to sample; default: the best that works')
    .addOption(
      new Option(
        '--call-graph <mode>',
        'how stacks are unwound; auto: fp, or dwarf if the first second shows truncated stacks',
      )
        .choices(['fp', 'dwarf', 'lbr', 'auto'])
        .default('fp'),
    )
    .option(
      '--stack-bytes <bytes>',
      `with --call-graph dwarf: bytes of stack copied per sample, up to ${MAX_STACK_BYTES}; default: 8192`,
      stackBytes,
    )
    .option('--seconds <seconds>', 'how long; default: until Ctrl-C or the target exits', seconds(0.1, 86_400))
    .option('--interleave', 'record two sides in turn and make an experiment: -- BEFORE… -- AFTER…, or two processes')
    .option('--before-pid <pid>', 'with --interleave: the process of the before side', collectPids)
    .option('--after-pid <pid>', 'with --interleave: the process of the after side', collectPids)
    .option('--cwd <folder>', 'with a command: its working folder')
    .option('--env <NAME=VALUE>', 'with a command: its environment (repeatable)', collectEnv)
    .option('--keep-perf-data', 'over ssh: also keep perf’s raw stream (always kept on this machine)')
    .addOption(
      new Option(
        '--exit-code <whose>',
        'with a command: its own exit code (128 + N if signal N ended it) if the recording was kept, or 0 to 5 for the capture; default: program, with --repeat, --interleave and several targets capture',
      ).choices(['program', 'capture']),
    )
    .option('--sudo', 'over ssh: record as root, with sudo');
  declareSeriesOptions(
    command,
    'also write perf script’s text to this file; with --repeat, FILE-1.txt…; with --json and a command, the JSON',
  );
}

export interface PerfRequest extends AskedRecording {
  /** What is recorded on each target; a second scope is the after side, recorded alternately with the first. */
  readonly scopes: readonly AskedScopes[];
  readonly options: Omit<PerfOptions, 'scope'>;
}

/** Throws a usage error for conflicting options. */
export function readPerfRequest(command: Command): PerfRequest {
  const argv = command.args;
  const flags = command.opts<PerfFlags>();
  if (flags.stackBytes !== undefined && flags.callGraph !== 'dwarf') {
    throw usageError('--stack-bytes needs --call-graph dwarf', 'give both, or neither');
  }
  const series = readSeries(flags);
  const { container } = series;
  const scopes = series.targets.map((_target, index) =>
    readScopes(flags, argv, index, series.targets.length, container),
  );
  const isInTurn = flags.interleave === true;
  if ((series.repeat > 1 || isInTurn) && flags.seconds === undefined && argv.length === 0) {
    throw usageError(`${isInTurn ? '--interleave' : '--repeat'} needs an end for each run`, 'give --seconds');
  }
  const options: Omit<PerfOptions, 'scope'> = {
    collector: 'perf',
    rateHz: flags.rate,
    event: flags.event ?? null,
    callGraph: flags.callGraph,
    seconds: flags.seconds ?? null,
    ...(flags.stackBytes === undefined ? {} : { stackBytes: flags.stackBytes }),
    ...(flags.keepPerfData === true ? { keepPerfData: true } : {}),
    ...(flags.sudo === true ? { asRoot: true } : {}),
  };
  if (flags.exitCode !== undefined && argv.length === 0) {
    throw usageError('--exit-code is for a recorded command', 'give the command after --, or leave it out');
  }
  if ((flags.cwd ?? flags.env) !== undefined && argv.length === 0) {
    throw usageError('--cwd and --env are for a recorded command', 'give the command after --, or leave them out');
  }
  const isDefault = command.getOptionValueSource('callGraph') !== 'cli';
  const isOne = series.repeat === 1 && !isInTurn && series.targets.length === 1;
  if (flags.exitCode === 'program' && !isOne) {
    throw usageError('--exit-code program is for one run of one command', 'leave it out, or give --exit-code capture');
  }
  return {
    ...series,
    ...(argv.length === 0 ? {} : { program: { exitCode: flags.exitCode ?? (isOne ? 'program' : 'capture') } }),
    scopes,
    options,
    async sides(index, target, where) {
      const [before, after] = scopes[index]!;
      const find = async (scope: AskedScope): Promise<PerfOptions> => {
        const found = await findScope(target, scope, where);
        const around = found.kind === 'command' ? { ...found, ...surroundings(flags, target) } : found;
        return { ...options, ...(isDefault && isPreparedPython(around) === true ? PYTHON_STACKS : {}), scope: around };
      };
      return [await find(before), after && (await find(after))];
    },
  };
}

/** Returns the command's folder, which on this machine may be relative, and its environment. */
function surroundings(
  { cwd, env }: PerfFlags,
  target: Target,
): Pick<Extract<Scope, { kind: 'command' }>, 'cwd' | 'env'> {
  const folder = cwd !== undefined && target.kind === 'local' ? resolve(cwd) : cwd;
  if (folder?.startsWith('/') === false) {
    throw usageError(`--cwd ${folder}: not an absolute path`, 'give the whole path of a folder on that host');
  }
  return { ...(folder === undefined ? {} : { cwd: folder }), ...(env === undefined ? {} : { env: [...env] }) };
}

function collectEnv(word: string, previous?: readonly string[]): string[] {
  if (!ENV_WORD.test(word)) throw new InvalidArgumentError('Give NAME=VALUE.');
  return collect(word, previous);
}

/** Returns what follows a finding; with `--call-graph auto`, Flamebench switches automatically. */
function nextStep(found: CollectorOptions, target: string, command: Command): NextStep {
  if (found.collector !== 'perf') return noNextStep();
  const isAuto = command.opts<PerfFlags>().callGraph === 'auto';
  if (isAuto && found.scope.kind !== 'command') return { happens: 'switching to DWARF', again: null };
  return {
    happens: isAuto ? 'this run continues; the next one uses DWARF' : null,
    again: quoteArgv(redactArgv(recordArgv(found, target))),
  };
}

/** Returns what is recorded on the target at `index` of `targets`; two scopes if there are two sides. */
function readScopes(
  flags: PerfFlags,
  argv: readonly string[],
  index: number,
  targets: number,
  container: ContainerAddress | null,
): AskedScopes {
  const { interleave } = flags;
  const pidOf = (option: string, pids: readonly number[] | undefined): number | undefined =>
    ofTarget(option, pids, index, targets);
  const [beforePid, afterPid] = [pidOf('--before-pid', flags.beforePid), pidOf('--after-pid', flags.afterPid)];
  const pid = pidOf('--pid', flags.pid);
  if (flags.startTicks !== undefined && flags.pid?.length !== 1)
    throw usageError('--start-ticks belongs to one process', 'give its --pid N');
  if (interleave !== true) {
    if (beforePid === undefined && afterPid === undefined) return [readScope(flags, pid, argv, container)];
    throw usageError(
      '--before-pid and --after-pid name the sides of --interleave',
      'give --interleave with them, or --pid for one process',
    );
  }
  if (pid !== undefined || container !== null || scopesOf(flags).length > 0) {
    throw usageError('--interleave records two sides', 'give --before-pid and --after-pid, or -- BEFORE… -- AFTER…');
  }
  const sides = { before: readSide(beforePid), after: readSide(afterPid) };
  if (argv.length === 0 && sides.before !== null && sides.after !== null) {
    if (beforePid !== afterPid) return [sides.before, sides.after];
    throw usageError(`both sides are process ${beforePid}`, 'name the process of each');
  }
  if (argv.length === 0) {
    throw usageError(
      `the ${sides.before === null ? 'before' : 'after'} side is missing`,
      'give --before-pid and --after-pid, or -- BEFORE… -- AFTER…',
    );
  }
  if (sides.before !== null || sides.after !== null) {
    throw usageError('processes and commands can’t be combined', 'give two processes or two commands');
  }
  return readCommands(argv);
}

const readSide = (pid: number | undefined): Scope | null =>
  pid === undefined ? null : { kind: 'pid', pid, startTicks: null };

/** Parses `-- BEFORE… -- AFTER…`. */
function readCommands(argv: readonly string[]): readonly [Scope, Scope] {
  const [at, second] = argv.flatMap((word, place) => (word === '--' ? [place] : []));
  if (at === undefined) {
    throw usageError('--interleave needs two commands', 'separate them with another --: -- BEFORE… -- AFTER…');
  }
  if (second !== undefined) {
    throw usageError('three or more commands, or one that contains --', "wrap such a command in sh -c '…'");
  }
  const [before, after] = [argv.slice(0, at), argv.slice(at + 1)];
  if (before.length === 0 || after.length === 0) {
    throw usageError(`the command of the ${before.length === 0 ? 'before' : 'after'} side is empty`, 'name a program');
  }
  return [
    { kind: 'command', argv: before },
    { kind: 'command', argv: after },
  ];
}

function ticks(text: string): string {
  if (/^\d{1,20}$/.test(text)) return text;
  throw new InvalidArgumentError('It takes a number of clock ticks.');
}

/** Returns what options other than `--pid` name. */
function scopesOf({ process, system, container, pod, unit, cgroup }: PerfFlags): AskedScope[] {
  return [
    ...(process === undefined ? [] : [{ kind: 'process' as const, name: process }]),
    ...(system === true ? [{ kind: 'system' as const }] : []),
    ...(container === undefined ? [] : [{ kind: 'container' as const, name: container }]),
    ...(pod === undefined ? [] : [{ kind: 'pod' as const, name: pod }]),
    ...(unit === undefined ? [] : [{ kind: 'unit' as const, name: unit }]),
    ...(cgroup === undefined ? [] : [{ kind: 'cgroup' as const, path: cgroup, name: null }]),
  ];
}

function readScope(
  flags: PerfFlags,
  pid: number | undefined,
  argv: readonly string[],
  container: ContainerAddress | null,
): AskedScope {
  const scopes = scopesOf(flags);
  if (container !== null) scopes.push({ kind: 'address', address: container });
  if (pid !== undefined) scopes.push({ kind: 'pid', pid, startTicks: flags.startTicks ?? null });
  if (argv.length > 0) scopes.push({ kind: 'command', argv: [...argv] });
  const [scope] = scopes;
  if (scope === undefined)
    throw usageError(
      'nothing to record',
      'give --pid N, --process NAME, --container NAME, --system, or -- and a command',
    );
  if (scopes.length > 1) {
    throw usageError(
      container === null
        ? '--pid, --process, --container, --pod, --unit, --cgroup, --system and a command can’t be combined'
        : `--target says that ${describeContainer(container)} is recorded`,
      'give one of them',
    );
  }
  return scope;
}

/** Rounds up to a multiple of 8, as perf does. */
const stackBytes = (text: string): number => Math.ceil(wholeNumberOption(1024, MAX_STACK_BYTES)(text) / 8) * 8;

/** Accepts a path in the hierarchy, or where the hierarchy is mounted. */
function cgroupPath(text: string): string {
  const path = text.replace(/^\/sys\/fs\/cgroup(?:\/unified|\/perf_event)?(?=\/)/, '').replace(/(?<=.)\/+$/, '');
  if (cgroupPathSchema.safeParse(path).success) return path;
  throw new InvalidArgumentError('Give a path like /system.slice/nginx.service, without commas.');
}

const isNamedGroup = (scope: AskedScope): scope is NamedGroup =>
  scope.kind === 'container' || scope.kind === 'pod' || scope.kind === 'unit';

/**
 * Resolves the name of a process to the busiest one that has it, or whose program has it, and that of a container, pod
 * or unit to its control group.
 */
async function findScope(target: Target, scope: AskedScope, where: string): Promise<Scope> {
  if (scope.kind === 'address') return findContainer(target, scope.address);
  if (isNamedGroup(scope)) {
    const found = findGroup(await listProcesses(target), scope);
    if ('problem' in found) throw captureError(found.problem, found.remedy);
    return found;
  }
  if (scope.kind !== 'process') return scope;
  const { name } = scope;
  const named = (await listProcesses(target)).filter((row) => row.name === name || baseName(row.executable) === name);
  const [busiest] = named;
  if (busiest === undefined) {
    throw captureError(`no process is named ${JSON.stringify(name)}`, 'flamebench ps --target … lists them');
  }
  const { pid, startTicks, cpuPercent } = busiest;
  if (named.length > 1) {
    const share = cpuPercent === null ? '' : ` (${cpuPercent.toFixed(0)} % of a CPU)`;
    const line = `${where}: ${named.length} processes are named ${name}; the busiest is ${pid}${share}`;
    say(line);
  }
  return { kind: 'pid', pid, startTicks };
}

const baseName = (path: string | null): string | null =>
  path?.replace(/ \(deleted\)$/, '').replace(/^.*\//, '') ?? null;
