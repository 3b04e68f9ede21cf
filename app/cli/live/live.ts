import { Option, type Command } from 'commander';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { liveToWord } from '#app/engine/live/live-word.ts';
import { reconnect } from '#app/engine/live/reconnect.ts';
import type { LiveSession } from '#app/engine/live/live.types.ts';
import { startLive } from '#app/engine/live/live-session.ts';
import { openCallGraphMemory, rememberingCollector } from '#app/engine/recording/call-graph-memory.ts';
import { loggedLinesOf, planHosts, type HostPlan } from '#app/engine/recording/plan-hosts.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { findProcess } from '#collectors/target/processes.ts';
import type { LiveWindow } from '#core/contract/live.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { FunctionChange } from '#core/live/baseline/baseline.ts';
import type { Profile } from '#core/model/profile.ts';
import { writeNative } from '#core/model/native/write.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { openOutput } from '../convert/output-file.ts';
import { toCliError } from '../engine-errors.ts';
import { captureError, usageError } from '../errors.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { hasDisplay } from '../open/find-electron.ts';
import { openWorkbench } from '../open/open.ts';
import { readInput } from '../input/read-input.ts';
import { rowCount } from '../option-values.ts';
import { isShown, print, repaint, say, terminalHeight, terminalWidth } from '../output/terminal.ts';
import { seconds, wholeNumberOption } from '../record/series-options.ts';
import { withTargets } from '../targets/cli-targets.ts';
import { liveAsJson, liveAsText } from './print.ts';

interface LiveFlags {
  readonly target: string;
  readonly pid?: number;
  readonly text?: true;
  readonly json?: true;
  readonly browser?: true;
  readonly library?: string;
  readonly window: keyof typeof WINDOWS;
  readonly sort: 'self' | 'total';
  readonly number: number;
  readonly rate: number;
  readonly event?: string;
  readonly callGraph: PerfOptions['callGraph'];
  readonly seconds?: number;
  readonly output?: string;
  readonly sudo?: true;
  readonly baseline?: string;
  readonly pinAfter?: number;
}

const DEFAULT_ROWS = 20;
const DEFAULT_RATE_HZ = 99;
/** Milliseconds between two lines of `--json`, and between two tables. */
const PRINT_MS = 1000;
/** Lines of the terminal that are not functions: two of status, a title, one to spare. */
const OTHER_LINES = 5;

export const liveCommand: CliCommand = {
  configure(command: Command): void {
    command
      .option('--target <target>', 'where: ssh://[user@]host[:port], or a name from flamebench targets', 'local')
      .option('--pid <pid>', 'the process to watch', wholeNumberOption(1, 2_147_483_647))
      .option('--text', 'print the functions in this terminal, once a second, in place')
      .option('--json', 'print a line of JSON once a second')
      .option('--browser', 'open the window in the system browser even if Electron is available')
      .option(...LIBRARY_OPTION)
      .addOption(new Option('--window <length>', 'time to show').choices(Object.keys(WINDOWS)).default('10s'))
      .addOption(new Option('--sort <column>', 'column to sort by').choices(['self', 'total']).default('self'))
      .option('-n, --number <rows>', 'functions to print, 0 for all', rowCount, DEFAULT_ROWS)
      .option('--rate <hertz>', 'samples per second and CPU', wholeNumberOption(1, 50_000), DEFAULT_RATE_HZ)
      .option('--event <event>', 'event to sample; default: the best that works')
      .addOption(
        new Option('--call-graph <mode>', 'how stacks are unwound').choices(['fp', 'dwarf', 'lbr']).default('fp'),
      )
      .option('--seconds <seconds>', 'how long; default: until Ctrl-C or the process exits', seconds(0.1, 86_400))
      .option('-o, --output <file>', 'at the end, write everything that was collected to this file')
      .option('--sudo', 'over ssh: record as root, with sudo')
      .option('--baseline <profile>', 'mark functions that differ from this profile')
      .option('--pin-after <seconds>', 'mark functions that differ from the window of that moment', seconds(1, 86_400));
  },

  async run(command: Command): Promise<ExitCode> {
    const flags = command.opts<LiveFlags>();
    if (flags.pid === undefined) throw usageError('no process given', 'give --pid N; flamebench ps lists processes');
    if (flags.text === true && flags.json === true) throw usageError('--text and --json can’t be combined', 'give one');
    if (flags.baseline !== undefined && flags.pinAfter !== undefined) {
      throw usageError('--baseline and --pin-after can’t be combined', 'give one');
    }
    if (!printsHere(command)) {
      await openLive(flags, flags.pid);
      return ExitCode.ok;
    }
    const before = flags.baseline === undefined ? null : await readInput(flags.baseline, {});
    const output = flags.output === undefined ? null : openOutput(flags.output);
    try {
      return await watch(flags, flags.pid, before, (session) => {
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

/** Options that only the terminal has; one of them implies `--text`. */
const TERMINAL_OPTIONS = ['text', 'json', 'window', 'sort', 'number', 'seconds', 'output', 'baseline', 'pinAfter'];

const printsHere = (command: Command): boolean =>
  TERMINAL_OPTIONS.some((name) => command.getOptionValueSource(name) === 'cli');

/** Opens the workbench's window, which watches the process; returns when it is closed. */
async function openLive(flags: LiveFlags, pid: number): Promise<void> {
  if (!hasDisplay()) {
    throw usageError(
      'there is no display for a window',
      'print here with --text, or start flamebench serve and choose Watch live… in a browser',
    );
  }
  const target = await withTargets(async (targets) => {
    const [id = flags.target] = await targets.resolve([flags.target]);
    return id;
  });
  if (target === LOCAL_TARGET && (await findProcess(createLocalTarget(), pid)) === null) {
    throw captureError(`there is no process ${pid}`, 'flamebench ps lists processes');
  }
  await openWorkbench(
    [liveToWord({ target, options: perfOptions(flags, pid) })],
    flags.library,
    flags.browser === true,
  );
}

const perfOptions = (flags: LiveFlags, pid: number): PerfOptions => ({
  collector: 'perf',
  scope: { kind: 'pid', pid, startTicks: null },
  rateHz: flags.rate,
  event: flags.event ?? null,
  callGraph: flags.callGraph,
  seconds: flags.seconds ?? null,
  watched: true,
  ...(flags.sudo === true ? { asRoot: true } : {}),
});

/** Runs a live session; `keep` is called when it has ended with samples. */
async function watch(
  flags: LiveFlags,
  pid: number,
  before: Profile | null,
  keep: (session: LiveSession) => void,
): Promise<ExitCode> {
  const memory = await openCallGraphMemory(defaultConfigPath());
  return withTargets(async (targets) => {
    const [targetId = flags.target] = await targets.resolve([flags.target]);
    const collector = rememberingCollector('perf', memory);
    const options = perfOptions(flags, pid);
    const [host] = await planHosts(
      () => collector,
      (id) => targets.open(id),
      [{ targetId, options: () => Promise.resolve([options, undefined]) }],
    );
    const plan = host?.plans?.[0];
    if (host === undefined || host.target === null || plan === undefined) throw refusal(host);
    for (const line of loggedLinesOf(host)) say(line);
    const context = {
      clock: CLOCK,
      collector,
      journal: targets.registry.journal,
      offersSuccessor: false,
      reconnect: () => reconnect(targets.registry, targetId),
    };
    const session = await startLive(context, { targetId, target: host.target, plan }).catch((error: unknown) => {
      throw toCliError(error);
    });
    await follow(session, flags, before, () => targets.isAsking);
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

const CLOCK = { now: Date.now, monotonic: () => performance.now() };

function refusal(host: HostPlan | undefined): Error {
  const failed = host?.checks.find(({ status }) => status === 'failed');
  return captureError(`can't watch: ${failed?.found ?? 'perf does not work there'}`, failed?.remedy ?? null);
}

/** Prints until the session ends; Ctrl-C and SIGTERM end it. */
async function follow(
  session: LiveSession,
  flags: LiveFlags,
  before: Profile | null,
  isAsking: () => boolean,
): Promise<void> {
  let told = 0;
  /** Pins the baseline once there is something to compare with it. */
  const pin = (): void => {
    const { samples, elapsedMs, baseline, state } = session.status;
    if (baseline !== null || samples === 0 || state !== 'running') return;
    if (flags.pinAfter !== undefined && elapsedMs >= flags.pinAfter * 1000) session.pin(WINDOWS[flags.window]);
    if (before === null) return;
    const { durationNs, fileName } = before.metadata;
    const name = fileName ?? flags.baseline ?? '';
    session.pin({ name, profile: before, seconds: durationNs === null ? null : durationNs / 1e9 });
  };
  const show = (): void => {
    pin();
    const { status } = session;
    const rolling = session.rolling(WINDOWS[flags.window]);
    const events = status.events.slice(told);
    told = status.events.length;
    const rows = flags.number === 0 ? Infinity : flags.number;
    if (flags.json === true)
      return print(liveAsJson(status, rolling, { sort: flags.sort, rows, events, changes: changesOf(session) }));
    if (isAsking()) return;
    const inPlace = isShown();
    const fitting = inPlace ? Math.min(rows, Math.max(1, terminalHeight() - OTHER_LINES)) : rows;
    const text = liveAsText(status, rolling, {
      sort: flags.sort,
      rows: fitting,
      width: terminalWidth(),
      changes: changesOf(session),
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
  try {
    await session.ended;
    if (refused !== null) throw toCliError(refused);
    show();
  } finally {
    clearInterval(timer);
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Returns the changes since the pin: per second, or shares if the baseline was sampled at another rate. */
function changesOf({ pinned, status }: LiveSession): readonly FunctionChange[] {
  if (pinned === null) return [];
  const isSameRate = pinned.rateHz === status.rateHz && pinned.baseline.pinned.seconds !== null;
  return pinned.baseline.changes(isSameRate ? 'per-second' : 'share');
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** By name, because commander treats null as a missing value. */
const WINDOWS = { '10s': 10, '1m': 60, '5m': 300, all: null } as const satisfies Record<string, LiveWindow>;
