import { InvalidArgumentError, Option, type Command } from 'commander';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { usageError } from './errors.ts';

/** What `flamebench record` was asked for. */
export interface RecordRequest {
  readonly options: PerfOptions;
  readonly repeat: number;
  readonly pauseSeconds: number;
  readonly name: string | null;
  readonly output: string | null;
  readonly library: string | null;
  readonly dryRun: boolean;
  readonly json: boolean;
}

interface RecordFlags {
  readonly target: string;
  readonly pid?: number;
  readonly system?: true;
  readonly rate: number;
  readonly event?: string;
  readonly callGraph: PerfOptions['callGraph'];
  readonly seconds?: number;
  readonly repeat: number;
  readonly pause: number;
  readonly name?: string;
  readonly output?: string;
  readonly library?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const DEFAULT_RATE_HZ = 99;

export function declareRecordOptions(command: Command): void {
  command
    .argument('<collector>', 'perf')
    .argument('[command...]', 'after --: the command to launch and record')
    .option('--target <target>', 'where to record', 'local')
    .option('--pid <pid>', 'record this process', wholeNumber(1, 4_194_304))
    .option('--system', 'record everything that runs')
    .option('--rate <hertz>', 'samples per second and CPU', wholeNumber(1, 50_000), DEFAULT_RATE_HZ)
    .option('--event <event>', 'what to sample by; default: the best that works')
    .addOption(new Option('--call-graph <mode>', 'how callers are found').choices(['fp', 'dwarf', 'lbr']).default('fp'))
    .option(
      '--seconds <seconds>',
      'how long; default: until Ctrl-C or the end of what is recorded',
      seconds(0.1, 86_400),
    )
    .option('--repeat <times>', 'make so many captures, one after the other', wholeNumber(1, 100), 1)
    .option('--pause <seconds>', 'between two of them', seconds(0, 3600), 0)
    .option('--name <name>', 'name of the capture')
    .option('-o, --output <file>', 'also write the text of perf script there; with --repeat, FILE-1.txt, FILE-2.txt…')
    .option('--library <folder>', 'library to keep the capture in')
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
  if (flags.target !== 'local') {
    throw usageError(`can't record on ${JSON.stringify(flags.target)}`, 'this version records on: local');
  }
  const { repeat, pause, name, output, library, dryRun, json } = flags;
  if (repeat > 1 && flags.seconds === undefined && argv.length === 0) {
    throw usageError('--repeat needs an end for each run', 'give --seconds');
  }
  return {
    options: {
      scope: readScope(flags, argv),
      rateHz: flags.rate,
      event: flags.event ?? null,
      callGraph: flags.callGraph,
      seconds: flags.seconds ?? null,
    },
    repeat,
    pauseSeconds: pause,
    name: name ?? null,
    output: output ?? null,
    library: library ?? null,
    dryRun: dryRun === true,
    json: json === true,
  };
}

function readScope({ pid, system }: RecordFlags, argv: readonly string[]): PerfOptions['scope'] {
  const scopes: PerfOptions['scope'][] = [];
  if (pid !== undefined) scopes.push({ kind: 'pid', pid, startTicks: null });
  if (system === true) scopes.push({ kind: 'system' });
  if (argv.length > 0) scopes.push({ kind: 'command', argv: [...argv] });
  const [scope] = scopes;
  if (scope === undefined)
    throw usageError('nothing to record was named', 'give --pid N, --system, or -- and a command');
  if (scopes.length > 1) throw usageError('--pid, --system and a command exclude one another', 'give one of them');
  return scope;
}

const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
};

const seconds = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It takes seconds from ${least} to ${most}.`);
};
