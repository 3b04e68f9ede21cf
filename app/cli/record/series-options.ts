import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CollectorId, CollectorOptions } from '#core/contract/schemas.ts';
import { parseContainerAddress, type ContainerAddress } from '#core/contract/container-address.ts';
import type { NodeOptions } from '#core/contract/node.ts';
import { LOCAL_TARGET, TargetIdFailure } from '#core/contract/target-id.ts';
import type { Side } from '#core/contract/side.ts';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import type { Target } from '#collectors/target/target.ts';
import type { SideOptions } from '#app/engine/recording/plan-hosts.ts';
import type { RecordingRequest } from '#app/engine/recording/recording.ts';
import { usageError } from '../errors.ts';
import { readOptionFile } from '../input/read-option-file.ts';
import { collect, readPid, seconds, wholeNumberOption } from '../option-values.ts';
import { FORCE_OPTION, outputOption } from '../output/output-file.ts';

/** Options of `flamebench record` that all collectors share: where, how often, for what, and the output. */
export interface SeriesFlags {
  readonly target?: readonly string[];
  readonly targetFile?: string;
  readonly wave?: Wave;
  readonly maxOverhead?: number;
  /** Declared by the collectors, which define what their sides are. */
  readonly interleave?: true;
  readonly into?: string;
  readonly side?: Side;
  readonly repeat?: number;
  readonly pause: number;
  readonly name?: string;
  readonly output?: string;
  readonly force?: true;
  readonly library?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export interface SeriesRequest {
  /** As named by the user: IDs, saved names, hosts of ~/.ssh/config. */
  readonly targets: readonly string[];
  /** A container or pod, named as the only target; {@link targets} is then this machine. */
  readonly container: ContainerAddress | null;
  /** Number of targets that record at the same time; undefined for all. */
  readonly wave: number | undefined;
  /** Share of a host's CPU time, 0 to 1. */
  readonly maxOverhead: number | undefined;
  /** Number of captures of each. */
  readonly repeat: number;
  readonly pauseSeconds: number;
  readonly name: string | null;
  readonly into: RecordingRequest['into'];
  readonly output: string | null;
  readonly force: boolean;
  readonly library: string | null;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** The requested recording. */
export interface AskedRecording extends SeriesRequest {
  /**
   * Present if programs are launched, with this command's streams. `exitCode` is the program's, or the captures' (0 to
   * 5).
   */
  readonly program?: { readonly exitCode: 'program' | 'capture' };
  /** Other targets that the collector needs, as named by the user. Absent: none. */
  readonly helpers?: readonly string[];
  /**
   * Returns what to record on the target at `index`; may inspect the target. `where` is its name, for messages;
   * `helpers` are the IDs of the other targets; absent: none.
   */
  sides(index: number, target: Target, where: string, helpers?: readonly string[]): Promise<SideOptions>;
}

/** The subcommand `flamebench record <id>`. */
export interface RecordRow {
  readonly id: CollectorId;
  /** One line for `flamebench record --help`. */
  readonly summary: string;
  /** A command line for its help. */
  readonly example: string;
  /** Words that let it record with another collector at the same time, and what that adds. Absent: it can't. */
  readonly both?: { readonly words: readonly string[]; readonly adds: string };
  /** Declares its options, including those of all collectors: {@link declareSeriesOptions}. */
  declare(command: Command): void;
  /** Throws a usage error for conflicting options. */
  read(command: Command): AskedRecording | Promise<AskedRecording>;
  nextStep(found: CollectorOptions, target: string, command: Command): NextStep;
}

/** The consequences of a finding. */
export interface NextStep {
  /** What Flamebench does automatically, one line; null if nothing. */
  readonly happens: string | null;
  /** The command that records with the correction; null if Flamebench switches automatically, or if nothing helps. */
  readonly again: string | null;
}

/** For collectors whose findings change nothing. */
export const noNextStep = (): NextStep => ({ happens: null, again: null });

/** Declares the options; `output` describes what `--output` writes. */
export function declareSeriesOptions(command: Command, output: string): void {
  command
    .option(
      '--target <target>',
      'where: local (the default), ssh://[user@]host[:port] or a name from flamebench targets; repeatable. For perf and pprof also docker://NAME, podman://NAME, kubectl://NAMESPACE/POD',
      collect,
    )
    .option('--target-file <file>', 'also record on the targets that this file names, one a line; # starts a comment')
    .option('--wave <hosts>', 'record on this many targets at a time, or on this share of them, such as 5%', readWave)
    .option(
      '--max-overhead <percent>',
      'end and keep a recording that uses more than this share of its host’s CPU time, such as 1%, and start no other',
      readShare,
    )
    .option(
      '--repeat <times>',
      `number of captures, for each side with --interleave (default: 1, with --interleave ${LEAST_REPLICATES})`,
      wholeNumberOption(1, 100),
    )
    .option('--into <experiment>', 'add the captures to this experiment')
    .addOption(new Option('--side <side>', 'with --into: the side they belong to').choices(['before', 'after']))
    .option('--pause <seconds>', 'wait between captures', seconds(0, 3600), 0)
    .option('--name <name>', 'name of the capture')
    .addOption(outputOption(output))
    .option(...FORCE_OPTION)
    .option('--library <folder>', 'library folder for the captures')
    .option('--dry-run', 'print what would run, without running it')
    .option('--json', 'print JSON');
}

export function readSeries(flags: SeriesFlags): SeriesRequest {
  const {
    pause,
    name,
    output,
    force,
    library,
    dryRun,
    json,
    interleave,
    repeat,
    target = [],
    targetFile,
    wave,
    maxOverhead,
  } = flags;
  if (pause > 0 && (repeat ?? 1) === 1 && interleave !== true)
    throw usageError('--pause is between the captures of --repeat', 'give both, or neither');
  const listed = [...target, ...(targetFile === undefined ? [] : readTargetFile(targetFile))];
  const where = readTargets(listed.length === 0 ? [LOCAL_TARGET] : listed);
  return {
    ...where,
    wave:
      wave === undefined ? undefined : Math.ceil(wave.of === 'all' ? wave.share * where.targets.length : wave.hosts),
    maxOverhead,
    repeat: repeat ?? (interleave === true ? LEAST_REPLICATES : 1),
    pauseSeconds: pause,
    name: name ?? null,
    into: readInto(flags),
    output: output ?? null,
    force: force === true,
    library: library ?? null,
    dryRun: dryRun === true,
    json: json === true,
  };
}

/** A number of targets, or a share of all. */
type Wave = { readonly of: 'hosts'; readonly hosts: number } | { readonly of: 'all'; readonly share: number };

function readWave(text: string): Wave {
  if (text.endsWith('%')) return { of: 'all', share: readShare(text) };
  return { of: 'hosts', hosts: wholeNumberOption(1, 10_000)(text) };
}

/** Reads `1%` or `0.5 %` as a share above 0 and at most 1. */
function readShare(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?) ?%?$/.exec(text) ?? [];
  const share = Number(digits) / 100;
  if (share > 0 && share <= 1) return share;
  throw new InvalidArgumentError('It takes a percentage above 0 and at most 100.');
}

function readTargetFile(path: string): string[] {
  const names = readOptionFile(path)
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim());
  const found = names.filter((name) => name !== '');
  if (found.length === 0) throw usageError(`${path} names no target`, 'write one a line');
  return found;
}

function readTargets(named: readonly string[]): Pick<SeriesRequest, 'targets' | 'container'> {
  try {
    const container = named.map(parseContainerAddress).find((one) => one !== null) ?? null;
    if (container === null) return { targets: named, container };
    if (named.length === 1) return { targets: [LOCAL_TARGET], container };
  } catch (error) {
    if (error instanceof TargetIdFailure) throw usageError(error.message);
    throw error;
  }
  throw usageError('a container as the target can’t be combined with other targets', 'record one at a time');
}

function readInto({ into, side, interleave }: SeriesFlags): RecordingRequest['into'] {
  if (into === undefined) {
    if (side === undefined) return undefined;
    throw usageError('--side needs an experiment', 'give --into EXPERIMENT with it');
  }
  if (interleave === true && side === undefined) return { experimentId: into, side: 'before' };
  if (side !== undefined && interleave !== true) return { experimentId: into, side };
  throw usageError(
    interleave === true ? '--interleave records both sides' : `--into ${into} needs a side`,
    interleave === true ? 'leave --side out' : 'give --side before or --side after',
  );
}

/** Returns the PID for the target at `index`, from an option that gives one for each of `targets`. */
export function ofTarget(
  option: string,
  pids: readonly number[] | undefined,
  index: number,
  targets: number,
): number | undefined {
  if (pids === undefined || pids.length === targets) return pids?.[index];
  throw usageError(
    `${option} is given ${pids.length === 1 ? 'once' : `${pids.length} times`} for ${targets} target${targets === 1 ? '' : 's'}`,
    targets === 1 ? 'name one process' : 'PIDs differ between hosts: give one for each, in order',
  );
}

/** Declares the options by which a running process is recorded for some seconds. */
export const declareAttached = (command: Command, mostSeconds: number): Command =>
  command
    .option('--pid <pid>', 'record this process; with several targets, one PID for each, in order', collectPids)
    .option('--seconds <seconds>', 'how long', wholeNumberOption(1, mostSeconds), 10);

/** Returns the recording of one process of each target by its PID. Throws a usage error without one. */
export function readAttached(
  flags: SeriesFlags & { readonly pid?: readonly number[] },
  optionsOf: (scope: NodeOptions['scope']) => CollectorOptions,
): AskedRecording {
  const series = readHostSeries(flags);
  return ofOneSide(series, (index) => {
    const pid = ofTarget('--pid', flags.pid, index, series.targets.length);
    if (pid === undefined) throw usageError('no process given', 'give --pid N; flamebench ps lists processes');
    return optionsOf({ kind: 'pid', pid, startTicks: null });
  });
}

/** {@link readSeries} for collectors that take no container. */
export function readHostSeries(flags: SeriesFlags): SeriesRequest {
  const series = readSeries(flags);
  if (series.container === null) return series;
  throw usageError('docker://, podman:// and kubectl:// are for perf and pprof', 'give the process with --pid');
}

/** Returns a recording without an after side; `optionsOf` is called at once for the target at each index. */
export function ofOneSide(series: SeriesRequest, optionsOf: (index: number) => CollectorOptions): AskedRecording {
  const sides = series.targets.map((_target, index) => optionsOf(index));
  return { ...series, sides: (index) => Promise.resolve([sides[index]!, undefined]) };
}

export const collectPids = (text: string, previous: readonly number[] = []): number[] => [...previous, readPid(text)];
