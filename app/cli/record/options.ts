import { InvalidArgumentError, Option, type Command } from 'commander';
import { MAX_STACK_BYTES, type PerfOptions, type Scope, type Side } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target.ts';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import type { RecordingRequest } from '#app/engine/recording/recording.ts';
import { usageError } from '../errors.ts';
import { collect } from '../option-values.ts';

/** What `flamebench record` was asked for. */
export interface RecordRequest {
  /** As named: ids, saved names, hosts of ~/.ssh/config. */
  readonly targets: readonly string[];
  /** Of each target what is recorded there; the second is the after side, which takes turns with the first. */
  readonly scopes: readonly AskedScopes[];
  readonly options: Omit<PerfOptions, 'scope'>;
  /** Captures of each. */
  readonly repeat: number;
  readonly pauseSeconds: number;
  readonly name: string | null;
  readonly into: RecordingRequest['into'];
  readonly output: string | null;
  readonly library: string | null;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export type AskedScopes = readonly [AskedScope, AskedScope?];
/** A process may be named: which one that is, is found out on the target. */
export type AskedScope = Scope | { readonly kind: 'process'; readonly name: string };

interface RecordFlags {
  readonly target?: readonly string[];
  readonly pid?: readonly number[];
  readonly process?: string;
  readonly interleave?: true;
  readonly beforePid?: readonly number[];
  readonly afterPid?: readonly number[];
  readonly into?: string;
  readonly side?: Side;
  readonly system?: true;
  readonly rate: number;
  readonly event?: string;
  readonly callGraph: PerfOptions['callGraph'];
  readonly stackBytes?: number;
  readonly seconds?: number;
  readonly repeat?: number;
  readonly pause: number;
  readonly name?: string;
  readonly output?: string;
  readonly library?: string;
  readonly keepPerfData?: true;
  readonly sudo?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

const DEFAULT_RATE_HZ = 99;

export function declareRecordOptions(command: Command): void {
  command
    .argument('<collector>', 'perf')
    .argument('[command...]', 'after --: the command to launch and record')
    .option(
      '--target <target>',
      'where: local (the default), ssh://[user@]host[:port] or a name of flamebench targets; repeatable',
      collect,
    )
    .option('--pid <pid>', 'record this process; of several targets, one each in their order', collectPids)
    .option('--process <name>', 'record the busiest process of this name')
    .option('--system', 'record everything that runs')
    .option('--rate <hertz>', 'samples per second and CPU', wholeNumber(1, 50_000), DEFAULT_RATE_HZ)
    .option('--event <event>', 'what to sample by; default: the best that works')
    .addOption(
      new Option(
        '--call-graph <mode>',
        'how callers are found; auto: fp, and dwarf where the first second shows cut stacks',
      )
        .choices(['fp', 'dwarf', 'lbr', 'auto'])
        .default('fp'),
    )
    .option(
      '--stack-bytes <bytes>',
      `with --call-graph dwarf: how much of each stack is copied, to ${MAX_STACK_BYTES}; default: 8192`,
      stackBytes,
    )
    .option(
      '--seconds <seconds>',
      'how long; default: until Ctrl-C or the end of what is recorded',
      seconds(0.1, 86_400),
    )
    .option(
      '--repeat <times>',
      `make so many captures, of each side with --interleave (default: 1, with --interleave ${LEAST_REPLICATES})`,
      wholeNumber(1, 100),
    )
    .option('--interleave', 'record two sides in turn, and make an experiment: -- BEFORE… -- AFTER…, or two processes')
    .option('--before-pid <pid>', 'with --interleave: the process of the before side', collectPids)
    .option('--after-pid <pid>', 'with --interleave: the process of the after side', collectPids)
    .option('--into <experiment>', 'add the captures to this experiment')
    .addOption(new Option('--side <side>', 'with --into: the side that they are of').choices(['before', 'after']))
    .option('--pause <seconds>', 'between two of them', seconds(0, 3600), 0)
    .option('--name <name>', 'name of the capture')
    .option('-o, --output <file>', 'also write the text of perf script there; with --repeat, FILE-1.txt…')
    .option('--library <folder>', 'library to keep the capture in')
    .option('--keep-perf-data', 'over ssh: keep perf’s own stream too (of this machine it always is)')
    .option('--sudo', 'over ssh: record as root, by sudo')
    .option('--dry-run', 'print what would run, and run nothing')
    .option('--json', 'print JSON');
}

/** Throws a usage error for what does not go together. */
export function readRecordRequest(command: Command): RecordRequest {
  const [collector, ...argv] = command.args;
  const flags = command.opts<RecordFlags>();
  if (collector !== 'perf') {
    throw usageError(`there is no collector ${JSON.stringify(collector ?? '')}`, 'this version records with: perf');
  }
  if (flags.stackBytes !== undefined && flags.callGraph !== 'dwarf') {
    throw usageError('--stack-bytes is for --call-graph dwarf', 'give both, or neither');
  }
  const { pause, name, output, library, dryRun, json, target: targets = [LOCAL_TARGET] } = flags;
  const isInTurn = flags.interleave === true;
  const repeat = flags.repeat ?? (isInTurn ? LEAST_REPLICATES : 1);
  const scopes = targets.map((_target, index) => readScopes(flags, argv, index, targets.length));
  if ((repeat > 1 || isInTurn) && flags.seconds === undefined && argv.length === 0) {
    throw usageError(`${isInTurn ? '--interleave' : '--repeat'} needs an end for each run`, 'give --seconds');
  }
  return {
    targets,
    scopes,
    options: {
      rateHz: flags.rate,
      event: flags.event ?? null,
      callGraph: flags.callGraph,
      seconds: flags.seconds ?? null,
      ...(flags.stackBytes === undefined ? {} : { stackBytes: flags.stackBytes }),
      ...(flags.keepPerfData === true ? { keepPerfData: true } : {}),
      ...(flags.sudo === true ? { asRoot: true } : {}),
    },
    repeat,
    pauseSeconds: pause,
    name: name ?? null,
    into: readInto(flags),
    output: output ?? null,
    library: library ?? null,
    dryRun: dryRun === true,
    json: json === true,
  };
}

/** What is recorded on the target at `index` of `targets`; two where sides are. */
function readScopes(flags: RecordFlags, argv: readonly string[], index: number, targets: number): AskedScopes {
  const { interleave } = flags;
  const pidOf = (option: string, pids: readonly number[] | undefined): number | undefined => {
    if (pids === undefined || pids.length === targets) return pids?.[index];
    throw usageError(
      `${option} is given ${pids.length === 1 ? 'once' : `${pids.length} times`} for ${targets} target${targets === 1 ? '' : 's'}`,
      targets === 1
        ? 'name one process'
        : 'a PID is another process on each host: give one each, in order, or --process NAME',
    );
  };
  const [beforePid, afterPid] = [pidOf('--before-pid', flags.beforePid), pidOf('--after-pid', flags.afterPid)];
  const pid = pidOf('--pid', flags.pid);
  if (interleave !== true) {
    if (beforePid === undefined && afterPid === undefined) return [readScope(flags, pid, argv)];
    throw usageError('--before-pid and --after-pid are sides', 'give --interleave with them, or --pid for one process');
  }
  if (pid !== undefined || flags.process !== undefined || flags.system === true) {
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
    throw usageError('processes and commands exclude one another', 'give two of either');
  }
  return readCommands(argv);
}

const readSide = (pid: number | undefined): Scope | null =>
  pid === undefined ? null : { kind: 'pid', pid, startTicks: null };

/** `-- BEFORE… -- AFTER…` */
function readCommands(argv: readonly string[]): readonly [Scope, Scope] {
  const [at, second] = argv.flatMap((word, place) => (word === '--' ? [place] : []));
  if (at === undefined) {
    throw usageError('--interleave needs two commands', 'part them by another --: -- BEFORE… -- AFTER…');
  }
  if (second !== undefined) {
    throw usageError('there are three commands, or one that holds -- itself', "put such a command into sh -c '…'");
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

function readInto({ into, side, interleave }: RecordFlags): RecordRequest['into'] {
  if (into === undefined) {
    if (side === undefined) return undefined;
    throw usageError('--side says which side of an experiment', 'give --into EXPERIMENT with it');
  }
  if (interleave === true && side === undefined) return { experimentId: into, side: 'before' };
  if (side !== undefined && interleave !== true) return { experimentId: into, side };
  throw usageError(
    interleave === true ? '--interleave records both sides' : `--into ${into}: of which side are the captures?`,
    interleave === true ? 'leave --side out' : 'give --side before or --side after',
  );
}

function readScope({ process, system }: RecordFlags, pid: number | undefined, argv: readonly string[]): AskedScope {
  const scopes: AskedScope[] = [];
  if (pid !== undefined) scopes.push({ kind: 'pid', pid, startTicks: null });
  if (process !== undefined) scopes.push({ kind: 'process', name: process });
  if (system === true) scopes.push({ kind: 'system' });
  if (argv.length > 0) scopes.push({ kind: 'command', argv: [...argv] });
  const [scope] = scopes;
  if (scope === undefined)
    throw usageError('nothing to record was named', 'give --pid N, --process NAME, --system, or -- and a command');
  if (scopes.length > 1)
    throw usageError('--pid, --process, --system and a command exclude one another', 'give one of them');
  return scope;
}

const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
};

/** perf rounds it up to a multiple of 8 itself. */
const stackBytes = (text: string): number => Math.ceil(wholeNumber(1024, MAX_STACK_BYTES)(text) / 8) * 8;

const readPid = wholeNumber(1, 4_194_304);
const collectPids = (text: string, previous: readonly number[] = []): number[] => [...previous, readPid(text)];

const seconds = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It takes seconds from ${least} to ${most}.`);
};
