import type { Command } from 'commander';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { findNamed } from '#app/engine/library/find-named.ts';
import { HIGH_CONCURRENCIES, HIGH_NEEDS } from '#core/load/plan-load.ts';
import { sweepOf, type KneeBound } from '#core/load/sweep.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { forEachWord } from '../for-each-word.ts';
import { findExperimentId } from '../library/find-input.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { countText } from '#core/units/format.ts';
import { printCsv } from '../output/csv-rows.ts';
import { collect } from '../option-values.ts';
import { jsonText } from '../output/json-text.ts';
import { FORCE_OPTION, outputOption } from '../output/output-file.ts';
import { print, warn } from '../output/terminal.ts';
import { diffLoads } from './diff.ts';
import { hops, writeHops } from './hops.ts';
import {
  findLoad,
  foundIn,
  probeSideOf,
  readResultFile,
  withLoadTests,
  type FoundLoad,
  type ResultFile,
} from './inputs.ts';
import type { LoadOptions } from './load-options.ts';
import { probeUrl, writeProbe } from './probe.ts';
import { kneeBoundOf } from './knee.ts';
import { runLoad } from './run.ts';
import { listLoadTests, loadTestRow, writeSweep } from './print.ts';

export const loadCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('[action]', 'list (the default), run, probe, show, read, diff, hops, rename or delete')
      .argument('[words...]', 'its arguments, see below')
      .option('--tool <tool>', 'for run: wrk (the default), hey or locust')
      .option(
        '--concurrency <numbers>',
        'for run: the steps (default: 10,20,50,100,200; high: 200 to 50,000, see below); for read: that of results that lack it, one for all or one per result',
      )
      .option('--seconds <seconds>', 'for run: duration of a run (default: 30)')
      .option('--repeat <runs>', 'for run: runs per step (default: 3); for probe: probes (default: 10)')
      .option('--warm-up <seconds>', 'for run: load before each run that is not measured (default: 3)')
      .option('--cool-down <seconds>', 'for run: pause between runs (default: 1)')
      .option('--threads <threads>', 'for run: most threads of wrk (default: three per CPU)')
      .option('--header <header>', "for run and probe: 'Name: value' (repeatable)", collect)
      .option(
        '-f, --script <file>',
        'for run: Lua script for wrk, or the file of Locust, on the machine that it runs on',
      )
      .option('--short-connections', 'for run: a new connection for each request (wrk: Connection: close)')
      .option(
        '--staircase',
        'for run: raise the load gradually from step to step, without pauses; --warm-up is the time of each rise',
      )
      .option('--target <target>', 'for run and probe: the machine that sends the requests (default: local)')
      .option(
        '--source <target>',
        'for run: a further machine that sends at the same moment (repeatable, wrk only); connections are divided, latencies merged',
        collect,
      )
      .option(
        '--pid <pids>',
        'for run: the server’s processes, 10,20, or on further machines, gateway=30: CPU time, memory, sockets and files are watched; auto: those at the URL’s port, their workers, and what they are connected to (the default for an address of 127.0.0.1, and with --server)',
      )
      .option('--no-pid', 'for run: watch no process, as --pid none')
      .option(
        '--component <NAME=PID|NAME=:PORT|NAME=GROUP>',
        'for run: names a process of the server, all that listen on a port, or all in a container, pod or systemd unit (repeatable); also renames what --pid auto finds; with ,metrics=URL[#NAME], p90 and p99 come from its Prometheus histogram',
        collect,
      )
      .option('--server <target>', 'for run: the machine of --pid without one (default: that which sends the requests)')
      .option(
        '--profile <collector>',
        'for run: record each process within the runs: perf, pprof, node, java, python, bpftrace or stap',
      )
      .option('--profile-at <place>', 'for --profile: each (every run, the default) or knee (more runs at the knee)')
      .option(
        '--profile-url <url>',
        'for --profile pprof: the address of the only --pid (default: found by asking the ports at which each listens)',
      )
      .option(
        '--series <source>',
        'for run: series beside the vitals: a Prometheus URL (polled each second), statsd:PORT, node:PID, probe:RATE[,HEADER] (single requests per second), or a CSV file (repeatable)',
        collect,
      )
      .option('--knee-success <percent>', 'for run, show and read: least success rate of the knee (default: 99)')
      .option('--knee-latency <ms>', 'for run, show and read: most p99 of the knee (default: none)')
      .option('--recipe <recipe>', 'for --profile bpftrace and stap: what to record (default: on-cpu)')
      .option('--rate <hertz>', 'for --profile: samples per second and CPU, or thread of Python (default: 99, 100)')
      .option('--sudo', 'for --profile over ssh: record as root, with sudo')
      .option('--restart <command>', 'for probe: command line run there before each probe; it must end by itself')
      .option('--idle <seconds>', 'for probe: pause before each probe')
      .option('--preflight <origin>', 'for probe: send a CORS preflight of this page’s origin before each request')
      .option('--dry-run', 'for run and probe: print the total load and the commands, and send nothing')
      .option(
        '--url <part>',
        'for read: the requests of a HAR file, by a part of METHOD URL (default: the most frequent)',
      )
      .option('--keep', 'for read and probe: keep the results in the library as a load test')
      .option('--name <name>', 'for run, read --keep and probe --keep: the name of the load test')
      .option(
        '--before <in...>',
        'for diff: load tests and files of the before side; for probe: an earlier one, kept or its JSON',
        collect,
      )
      .option('--after <in...>', 'for diff: results of the after side', collect)
      .option(
        '--fail-on <condition>',
        "for diff: exit with 1 if it holds: 'p99 > +10%', 'qps@1000 < -5%' (repeatable)",
        collect,
      )
      .option('--inconclusive <outcome>', 'for --fail-on: pass, fail (exit code 1) or exit5 (the default)')
      .option('--json', 'print JSON')
      .option(
        '--csv',
        'print comma-separated values: a line per run, for list per load test, for diff per metric, for hops per hop, for probe per request',
      )
      .option('--dat', 'print a table for gnuplot: concurrency, QPS, mean latency in ms, success in percent')
      .addOption(outputOption('file to write; - is stdout', STDIO))
      .option(...FORCE_OPTION)
      .option(...LIBRARY_OPTION)
      .addHelpText(
        'after',
        `
A load test is a sweep: runs of a load-testing tool by concurrency. LOAD is a load test of the library (its id, name, or a unique prefix of either) or a file.

  flamebench load                                   lists the library's load tests
  flamebench load run http://127.0.0.1:8080/ --concurrency 10,20,50,100 --seconds 10
  flamebench load run http://127.0.0.1:8080/ --pid 4711 --profile perf
  flamebench load run http://127.0.0.1:8080 --tool locust -f users.py --concurrency 100 --seconds 600
  flamebench load probe https://example.org/        times DNS, TCP, TLS, first byte and download, on new and kept connections
  flamebench load probe https://example.org/ --keep --name before
  flamebench load show LOAD
  flamebench load read wrk.txt hey.csv              prints results of wrk, hey, ab, k6, vegeta, oha, autocannon, Locust, HdrHistogram, .dat
  flamebench load read *.txt --keep --name before   keeps them
  flamebench load diff BEFORE AFTER --fail-on 'p99 > +10%'
  flamebench load hops APP SIDECAR GATEWAY          latency that each hop adds, and QPS per core of each component
  flamebench load rename LOAD NAME
  flamebench load delete LOAD…                      moves them to the trash

--concurrency high has the steps ${HIGH_CONCURRENCIES.join(', ')}. It ${HIGH_NEEDS}.`,
      );
  },

  async run(command: Command): Promise<ExitCode> {
    const [action = 'list', ...words] = command.args;
    const options = command.opts<LoadOptions>();
    const known = ACTIONS.get(action);
    if (known === undefined) throw usageError(`unknown action '${action}'`, `use ${[...ACTIONS.keys()].join(', ')}`);
    refuseOthers(command, action);
    const formats = [options.json, options.csv, options.dat].filter((one) => one === true);
    if (formats.length > 1) throw usageError('--json, --csv and --dat exclude each other');
    try {
      return (await known.run(words, options)) ?? ExitCode.ok;
    } catch (error) {
      throw toCliError(error);
    }
  },
};

type OptionName = keyof LoadOptions;

interface Action {
  readonly run: (words: readonly string[], options: LoadOptions) => Promise<ExitCode | void>;
  /** The options that it takes in addition to `--library`. */
  readonly options: readonly OptionName[];
}

const TABLE = ['json', 'csv', 'output', 'force'] as const;
const SWEEP = [...TABLE, 'dat', 'kneeSuccess', 'kneeLatency'] as const;
const SENT = ['repeat', 'header', 'target', 'dryRun', 'name'] as const;
const WATCHED = [
  'pid',
  'component',
  'server',
  'profile',
  'profileAt',
  'profileUrl',
  'recipe',
  'rate',
  'sudo',
  'series',
] as const;

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['list', { run: list, options: ['json', 'csv'] }],
  [
    'run',
    {
      run: runLoad,
      options: [
        ...SWEEP,
        ...SENT,
        ...WATCHED,
        'tool',
        'concurrency',
        'seconds',
        'warmUp',
        'coolDown',
        'shortConnections',
        'staircase',
        'threads',
        'script',
        'source',
      ],
    },
  ],
  ['probe', { run: probeUrl, options: [...TABLE, ...SENT, 'restart', 'idle', 'preflight', 'keep', 'before'] }],
  ['show', { run: show, options: SWEEP }],
  ['read', { run: read, options: [...SWEEP, 'concurrency', 'keep', 'name', 'url'] }],
  ['diff', { run: diffLoads, options: [...TABLE, 'before', 'after', 'failOn', 'inconclusive'] }],
  ['hops', { run: hops, options: TABLE }],
  ['rename', { run: rename, options: ['json'] }],
  ['delete', { run: remove, options: ['json'] }],
]);

/** Throws a usage error for an option of other actions, which would have no effect. */
function refuseOthers(command: Command, action: string): void {
  for (const option of command.options) {
    const name = option.attributeName() as OptionName;
    const takers = [...ACTIONS].filter(([, { options }]) => options.includes(name)).map(([one]) => one);
    const isGiven = command.getOptionValueSource(name) === 'cli';
    if (isGiven && takers.length > 0 && !takers.includes(action)) {
      throw usageError(`load ${action} does not take ${option.long}`, `it is for load ${takers.join(', ')}`);
    }
  }
}

async function list(words: readonly string[], { library, json, csv }: LoadOptions): Promise<void> {
  if (words.length > 0) throw usageError(`load list takes no '${words[0]}'`);
  const found = await withLoadTests(library, (tests) => tests.list());
  if (csv === true) printCsv(['id', 'state', 'runs', 'probes', 'created', 'name'], found.tests.map(loadTestRow));
  else print(json === true ? jsonText(found) : listLoadTests(found.tests));
  for (const { id, message, remedy } of found.damaged) warn(`${id} can't be read: ${message}. ${remedy}`);
}

async function show(words: readonly string[], options: LoadOptions): Promise<ExitCode | void> {
  const [word, ...others] = words;
  if (word === undefined || others.length > 0) throw usageError('load show wants one load test or file');
  const bound = kneeBoundOf(options);
  const experiment = await findExperimentId(word, options.library);
  if (experiment !== null) {
    if (options.dat === true || bound !== null)
      throw usageError(
        `${experiment} is an experiment, whose sides are compared`,
        'name one of its load tests instead',
      );
    return diffLoads([experiment], options);
  }
  writeFound(options, await findLoad(word, options.library), bound);
}

/** Prints a sweep, probes or hops. */
function writeFound(options: LoadOptions, found: FoundLoad, bound: KneeBound | null): void {
  const { test, sweep, hops: rows } = found;
  if (sweep === null && bound !== null) throw usageError('--knee-success and --knee-latency are for sweeps');
  if (rows !== null) writeHops(options, rows);
  else if (sweep === null) writeProbe(options, probeSideOf(found, 'only'), null, test);
  else writeSweep(options, { ...sweep, ...(bound === null ? {} : { bound }) }, test === null ? {} : { test });
}

/** Reads results of tools, several files as one sweep; or one series of probes or table of hops. */
async function read(words: readonly string[], options: LoadOptions): Promise<void> {
  if (words.length === 0) throw usageError('load read needs a file', 'name results of a load-testing tool; - is stdin');
  if (options.name !== undefined && options.keep !== true) throw usageError('--name is for --keep');
  const bound = kneeBoundOf(options);
  const files: ResultFile[] = [];
  for (const word of words) files.push(await readResultFile(word, options.url ?? null));
  const other = files.find(({ file }) => file.kind !== 'sweep');
  if (other === undefined) return readSweep(files, options, bound);
  const { name, file } = other;
  if (files.length > 1)
    throw usageError(`${name} has ${file.kind === 'probe' ? 'probes' : 'hops'}`, 'read it by itself');
  if (options.concurrency !== undefined) throw usageError('--concurrency is for results of tools');
  const found = foundIn(other);
  if (options.keep !== true) return writeFound(options, found, bound);
  if (found.probe === null) throw usageError(`${name} has hops, which are made of load tests`, 'keep those');
  const { probe } = found;
  const kept = await withLoadTests(options.library, async (tests) =>
    (await tests.create({ name: options.name ?? name, host: null, plan: null, probe })).finish('finished'),
  );
  writeFound(options, { ...found, name: kept.name, test: kept }, bound);
}

async function readSweep(files: readonly ResultFile[], options: LoadOptions, asked: KneeBound | null): Promise<void> {
  const given = concurrenciesOf(options.concurrency);
  const own = files.map(({ file }) => (file.kind === 'sweep' ? file.results : []));
  const all = own.flat();
  const lacking = all.filter(({ concurrency }) => concurrency === null);
  if (given.length > 1 && given.length !== lacking.length) {
    throw usageError(
      `--concurrency has ${given.length} numbers for ${countText(lacking.length, 'result')} without one`,
      'give one for all, or one per result in their order',
    );
  }
  const results = all.map((result) =>
    result.concurrency === null && given.length > 0
      ? { ...result, concurrency: (given.length === 1 ? given[0] : given[lacking.indexOf(result)])! }
      : result,
  );
  const name = options.name ?? files.map((file) => file.name).join(', ');
  const [only, ...others] = files;
  const bound = asked ?? (others.length === 0 && only!.file.kind === 'sweep' ? only!.file.bound : undefined);
  const sweep = { ...sweepOf(name, results), ...(bound === undefined ? {} : { bound }) };
  if (options.keep !== true) return writeSweep(options, sweep, {});
  const kept = await withLoadTests(options.library, async (tests) => {
    const writer = await tests.create({ name, host: null, plan: null });
    try {
      let place = 0;
      for (const [file, { text }] of files.entries()) {
        for (const index of own[file]!.keys()) {
          await writer.add({ startedAt: null, result: results[place++]! }, index === 0 ? text : '');
        }
      }
      return await writer.finish('finished');
    } catch (error) {
      await writer.discard();
      throw error;
    }
  });
  writeSweep(options, { ...sweep, name: kept.name }, { test: kept });
}

function concurrenciesOf(text: string | undefined): number[] {
  if (text === undefined) return [];
  const numbers = text.split(',').map((word) => (/^\d{1,7}$/.test(word.trim()) ? Number(word) : 0));
  if (numbers.some((number) => number < 1))
    throw usageError(`--concurrency ${text}: not a list of numbers`, 'write 10,20,50');
  return numbers;
}

async function rename(words: readonly string[], { library, json }: LoadOptions): Promise<void> {
  const [word, name, ...others] = words;
  if (word === undefined || name === undefined || others.length > 0)
    throw usageError('load rename wants a load test and a name');
  const test = await withLoadTests(library, async (tests, opened) =>
    tests.rename((await findNamed(opened, word, ['load test'])).id, name),
  );
  print(json === true ? jsonText(test) : `${test.id} is now ${test.name}\n`);
}

async function remove(words: readonly string[], { library, json }: LoadOptions): Promise<void> {
  if (words.length === 0) throw usageError('load delete wants a load test', 'flamebench load lists them');
  const deleted = await withLoadTests(library, (tests, opened) =>
    forEachWord(words, async (word) => {
      const { id } = await findNamed(opened, word, ['load test']);
      await tests.trash(id);
      return id;
    }),
  );
  if (json === true) print(jsonText({ deleted: deleted.done }));
  else print(deleted.done.map((id) => `${id} moved to the trash\n`).join(''));
  deleted.throwFirst();
}
