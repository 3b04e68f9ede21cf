import { InvalidArgumentError, Option, type Command } from 'commander';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { liveToWord } from '#app/engine/live/live-word.ts';
import { planLive, replanner } from '#app/engine/live/plan-live.ts';
import { reconnect } from '#app/engine/live/reconnect.ts';
import type { LiveSession } from '#app/engine/live/live.types.ts';
import { startLive } from '#app/engine/live/live-session.ts';
import { openCollectorMemory } from '#app/engine/recording/collector-memory.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { loggedLinesOf } from '#app/engine/recording/plan-hosts.ts';
import { MAX_RAW_BYTES, MIN_RAW_BYTES, type LiveLimits, type LiveWindow } from '#core/contract/live.ts';
import { DEFAULT_MAX_CPUS } from '#core/contract/live-defaults.ts';
import type { CollectorOptions } from '#core/contract/schemas.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import type { Target } from '#collectors/target/target.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Profile } from '#core/model/profile.ts';
import { writeNative } from '#core/model/native/write.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { csvOption } from '../output/csv-rows.ts';
import { rethrow, toCliError } from '../engine-errors.ts';
import { captureError, usageError } from '../errors.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { hasDisplay } from '../open/find-electron.ts';
import { openWorkbench } from '../open/open.ts';
import { readInput } from '../input/read-input.ts';
import { refuseOptions, rowCount, seconds, wholeNumberOption } from '../option-values.ts';
import { FORCE_OPTION, openOutput, outputOption } from '../output/output-file.ts';
import { isShown, print, printTable, repaint, say, terminalHeight, terminalWidth } from '../output/terminal.ts';
import { endOnClosedPipe } from '../output/report-error.ts';
import { checkRefusal } from '../record/plan-text.ts';
import { TARGET_OPTION, withTargets } from '../targets/cli-targets.ts';
import { declareSource, readSource } from './source.ts';
import { liveAsCsv, liveAsJson, liveAsText, type Shown } from './print.ts';

interface LiveFlags {
  readonly target: string;
  readonly text?: true;
  readonly json?: true;
  readonly csv?: true;
  readonly browser?: true;
  readonly library?: string;
  readonly window: keyof typeof WINDOWS;
  readonly sort: 'self' | 'total';
  readonly number: number;
  readonly seconds?: number;
  readonly output?: string;
  readonly force?: true;
  readonly maxCpu: number;
  readonly baseline?: string;
  readonly pinAfter?: number;
  readonly raw?: NonNullable<LiveLimits['raw']>;
}

const DEFAULT_ROWS = 20;
/** Milliseconds between two lines of `--json`, and between two tables. */
const PRINT_MS = 1000;
/** Lines of the terminal that are not functions: two of status, a title, one to spare. */
const OTHER_LINES = 5;

export const liveCommand: CliCommand = {
  configure(command: Command): void {
    declareSource(command);
    command
      .option(...TARGET_OPTION)
      .option('--text', 'print the functions in this terminal, once a second, in place')
      .option('--json', 'print a line of JSON once a second')
      .addOption(csvOption())
      .option('--browser', 'open the window in the system browser even if Electron is available')
      .option(...LIBRARY_OPTION)
      .addOption(new Option('--window <length>', 'time to show').choices(Object.keys(WINDOWS)).default('10s'))
      .addOption(new Option('--sort <column>', 'column to sort by').choices(['self', 'total']).default('self'))
      .option('-n, --number <rows>', 'functions to print, 0 for all', rowCount, DEFAULT_ROWS)
      .option('--seconds <seconds>', 'how long; default: until Ctrl-C or the process exits', seconds(0.1, 86_400))
      .addOption(outputOption('at the end, write everything that was collected to this file'))
      .option(...FORCE_OPTION)
      .option(
        '--max-cpu <percent>',
        'halve the rate if the collector takes more than this of a CPU; 0: never',
        wholeNumberOption(0, 100_000),
        DEFAULT_MAX_CPUS * 100,
      )
      .option(
        '--raw <size>',
        'keep the raw output as a capture: full, or the newest, such as 256M; default: none',
        rawSize,
      )
      .option('--baseline <profile>', 'mark functions that differ from this profile')
      .option('--pin-after <seconds>', 'mark functions that differ from the window of that moment', seconds(1, 86_400));
  },

  async run(command: Command): Promise<ExitCode> {
    const flags = command.opts<LiveFlags>();
    const options = readSource(command);
    if (flags.text === true && (flags.json ?? flags.csv) === true) {
      throw usageError(`--text and --${flags.json === true ? 'json' : 'csv'} can’t be combined`, 'give one');
    }
    if (flags.baseline !== undefined && flags.pinAfter !== undefined) {
      throw usageError('--baseline and --pin-after can’t be combined', 'give one');
    }
    if (!printsHere(command) && !hasSecrets(options)) {
      await openLive(flags, options);
      return ExitCode.ok;
    }
    refuseOptions(command, 'live in a terminal', ['browser']);
    const before = flags.baseline === undefined ? null : await readInput(flags.baseline, {});
    const output = flags.output === undefined ? null : openOutput(flags.output, flags);
    try {
      return await watch(flags, options, before, (session) => {
        if (output === null) return;
        for (const chunk of writeNative(session.rolling(null).profile)) output.write(chunk);
        output.commit();
      });
    } catch (error) {
      output?.discard();
      throw error;
    }
  },
};

const RAW_UNITS: Readonly<Record<string, number>> = { M: 1e6, G: 1e9, T: 1e12 };

/** Parses the value of `--raw`. */
function rawSize(text: string): NonNullable<LiveLimits['raw']> {
  if (text === 'full') return { maxBytes: null };
  const [, number, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)([MGT])B?$/i.exec(text) ?? [];
  const maxBytes = Math.round(Number(number) * (RAW_UNITS[unit.toUpperCase()] ?? Number.NaN));
  if (maxBytes >= MIN_RAW_BYTES && maxBytes <= MAX_RAW_BYTES) return { maxBytes };
  throw new InvalidArgumentError('It takes full, or a size from 1M to 1T, such as 256M.');
}

/** Options that only the terminal has; one of them implies `--text`. */
const TERMINAL_OPTIONS = [
  'text',
  'json',
  'csv',
  'window',
  'sort',
  'number',
  'seconds',
  'output',
  'baseline',
  'pinAfter',
];

const printsHere = (command: Command): boolean =>
  TERMINAL_OPTIONS.some((name) => command.getOptionValueSource(name) === 'cli');

/** Other users can read a command line, by which a window gets its options. */
const hasSecrets = (options: CollectorOptions): boolean =>
  options.collector === 'pprof' && (options.headers !== undefined || options.tls !== undefined);

/** Opens the workbench's window, which watches the process; returns when it is closed. */
async function openLive(flags: LiveFlags, options: CollectorOptions): Promise<void> {
  if (!hasDisplay()) {
    throw usageError(
      'there is no display for a window',
      'print here with --text, or start flamebench serve and choose Watch live… in a browser',
    );
  }
  const target = await withTargets((targets) => targets.resolveOne(flags.target));
  const { scope } = options;
  const isHere = target === LOCAL_TARGET && scope.kind === 'pid';
  if (isHere && (await findProcess(createLocalTarget(), scope.pid)) === null) {
    throw captureError(`there is no process ${scope.pid}`, 'flamebench ps lists processes');
  }
  await openWorkbench(
    [liveToWord({ target, options, limits: limitsOf(flags) })],
    flags.library,
    flags.browser === true,
  );
}

const limitsOf = ({ maxCpu, raw }: LiveFlags): LiveLimits => ({
  maxCpus: maxCpu === 0 ? null : maxCpu / 100,
  ...(raw === undefined ? {} : { raw }),
});

/** Runs a live session; `keep` is called when it has ended with samples. */
async function watch(
  flags: LiveFlags,
  options: CollectorOptions,
  before: Profile | null,
  keep: (session: LiveSession) => void,
): Promise<ExitCode> {
  const memory = openCollectorMemory(defaultConfigPath());
  return withTargets(async (targets) => {
    const targetId = await targets.resolveOne(flags.target);
    const open = (id: string): Promise<Target> => targets.open(id);
    const collectorOf = collectorsWith({ memory, openTarget: open });
    const host = await planLive(collectorOf, open, targetId, options);
    const plan = host.plans?.[0];
    if (host.target === null || plan === undefined) throw checkRefusal("can't watch", host.checks);
    for (const line of loggedLinesOf(host)) say(line);
    const library = flags.raw === undefined ? undefined : await openLibrary(flags.library ?? defaultLibraryPath());
    const context = {
      clock: SYSTEM_CLOCK,
      collector: collectorOf(options.collector),
      library,
      journal: targets.registry.journal,
      offersSuccessor: false,
      replan: replanner(collectorOf, open, targetId),
      reconnect: () => reconnect(targets.registry, targetId),
    };
    const request = { targetId, target: host.target, plan, seconds: flags.seconds ?? null, limits: limitsOf(flags) };
    const session = await startLive(context, request).catch(rethrow);
    await follow(session, flags, before, () => targets.isAsking);
    library?.close();
    for (const { kind, text } of session.status.events) if (kind === 'saved') say(text);
    const { state, error, samples, events } = session.status;
    if (state === 'failed') throw captureError(error ?? 'nothing was recorded');
    if (samples === 0) {
      throw captureError(
        `no sample was recorded: ${(events.at(-1)?.text ?? 'nothing ran').replace(/\.$/, '')}`,
        'watch while the process works',
      );
    }
    keep(session);
    return ExitCode.ok;
  });
}

/** Prints until the session ends; Ctrl-C and SIGTERM end it. */
async function follow(
  session: LiveSession,
  flags: LiveFlags,
  before: Profile | null,
  isAsking: () => boolean,
): Promise<void> {
  let told = 0;
  let hasHead = false;
  let isClosed = false;
  /** Pins the baseline once there is something to compare with it. */
  const pin = (): void => {
    const { samples, elapsedMs, baseline, state } = session.status;
    if (baseline !== null || samples === 0 || state !== 'running') return;
    if (flags.pinAfter !== undefined && elapsedMs >= flags.pinAfter * 1000)
      session.pin({ window: WINDOWS[flags.window], until: null });
    if (before === null) return;
    const { durationNs, fileName } = before.metadata;
    const name = fileName ?? flags.baseline ?? '';
    session.pin({ name, profile: before, seconds: durationNs === null ? null : durationNs / 1e9 });
  };
  const show = (isLast = false): void => {
    if (isClosed) return;
    pin();
    const { status } = session;
    const rolling = session.rolling(WINDOWS[flags.window]);
    const events = status.events.slice(told);
    told = status.events.length;
    const rows = flags.number === 0 ? Infinity : flags.number;
    if (flags.json === true)
      return print(liveAsJson(status, rolling, { sort: flags.sort, rows, events, ...statesOf(session) }));
    if (flags.csv === true) {
      const isFirst = !hasHead;
      // The head states the unit, which is that of the first samples.
      if (isFirst && status.samples === 0 && !isLast) return;
      hasHead = true;
      return printTable(liveAsCsv(status, rolling, { sort: flags.sort, rows, ...statesOf(session), isFirst }));
    }
    if (isAsking()) return;
    const inPlace = isShown();
    const fitting = inPlace ? Math.min(rows, Math.max(1, terminalHeight() - OTHER_LINES)) : rows;
    const text = liveAsText(status, rolling, {
      sort: flags.sort,
      rows: fitting,
      width: terminalWidth(),
      ...statesOf(session),
    });
    if (inPlace) repaint(text);
    else print(`${text}\n`);
  };
  const stop = (): void => void session.stop();
  let refused: unknown = null;
  const timer = setInterval(() => {
    try {
      show();
    } catch (error) {
      refused ??= error;
      stop();
    }
  }, PRINT_MS);
  for (const signal of SIGNALS) process.on(signal, stop);
  const output = endOnClosedPipe(() => {
    isClosed = true;
    stop();
  });
  try {
    await session.ended;
    if (refused !== null) throw toCliError(refused);
    show(true);
  } finally {
    clearInterval(timer);
    output.off();
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Returns what is known since the pin: per second, or shares if the baseline was sampled at another rate. */
function statesOf({ pinned, status }: LiveSession): Pick<Shown, 'states' | 'size'> {
  if (pinned === null) return { states: [], size: null };
  const isSameRate = pinned.rateHz === status.rateHz && pinned.baseline.pinned.seconds !== null;
  return {
    states: pinned.baseline.states(isSameRate ? 'per-second' : 'share'),
    size: isSameRate ? pinned.baseline.size : null,
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** By name, because commander treats null as a missing value. */
const WINDOWS = { '10s': 10, '1m': 60, '5m': 300, all: null } as const satisfies Record<string, LiveWindow>;
