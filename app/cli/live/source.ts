import { Option, type Command } from 'commander';
import { RECIPE_IDS, STACK_CHOICES } from '#core/contract/bpftrace.ts';
import { LIVE_KINDS, LIVE_WINDOW_SECONDS } from '#core/contract/live-defaults.ts';
import type { PprofOptions } from '#core/contract/pprof.ts';
import type { CollectorId, CollectorOptions, PerfOptions } from '#core/contract/schemas.ts';
import { usageError } from '../errors.ts';
import { declareAccess, readHeader, readTls, readUrl, type AccessFlags } from '../record/pprof/options.ts';
import { readWhat, type RecipeFlags } from '../record/recipe-options.ts';
import { wholeNumberOption } from '../option-values.ts';

/** Options of what is watched. */
interface SourceFlags extends AccessFlags, Pick<RecipeFlags, 'recipe' | 'stacks' | 'function'> {
  readonly pid?: number;
  readonly rate: number;
  readonly event?: string;
  readonly callGraph: PerfOptions['callGraph'];
  readonly sudo?: true;
  readonly kind: string;
  readonly every: number;
}

const DEFAULT_RATE_HZ = 99;
const COLLECTORS = ['perf', 'pprof', 'bpftrace', 'stap'] as const satisfies readonly CollectorId[];

/** Options that only some collectors have. */
const OWN: Readonly<Partial<Record<keyof SourceFlags, readonly CollectorId[]>>> = {
  event: ['perf'],
  callGraph: ['perf'],
  rate: ['perf', 'bpftrace', 'stap'],
  sudo: ['perf', 'bpftrace', 'stap'],
  recipe: ['bpftrace', 'stap'],
  stacks: ['bpftrace', 'stap'],
  function: ['bpftrace', 'stap'],
  kind: ['pprof'],
  every: ['pprof'],
  header: ['pprof'],
  cert: ['pprof'],
  key: ['pprof'],
  ca: ['pprof'],
};

export function declareSource(command: Command): void {
  command
    .argument('[collector]', `${COLLECTORS.join(', ')}; default: perf`)
    .argument('[url]', 'with pprof: the service’s root, its /debug/pprof/ or one profile, as the target sees it')
    .option('--pid <pid>', 'the process to watch', wholeNumberOption(1, 2_147_483_647))
    .option('--rate <hertz>', 'samples per second and CPU', wholeNumberOption(1, 50_000), DEFAULT_RATE_HZ)
    .option('--event <event>', 'perf: event to sample; default: the best that works')
    .addOption(
      new Option('--call-graph <mode>', 'perf: how stacks are unwound').choices(['fp', 'dwarf', 'lbr']).default('fp'),
    )
    .addOption(
      new Option('--recipe <recipe>', 'bpftrace, stap: what to watch; default: on-cpu').choices([...RECIPE_IDS]),
    )
    .addOption(new Option('--stacks <stacks>', 'bpftrace, stap: which stacks').choices([...STACK_CHOICES]))
    .option('--function <name>', 'bpftrace, stap, for latency: a function of the process’s executable')
    .addOption(new Option('--kind <kind>', 'pprof: kind of profile').choices(LIVE_KINDS).default('cpu'))
    .option(
      '--every <seconds>',
      'pprof: length of each window, in seconds',
      wholeNumberOption(1, 300),
      LIVE_WINDOW_SECONDS,
    )
    .option('--sudo', 'over ssh: watch as root, with sudo');
  declareAccess(command);
}

/** Throws a usage error for conflicting options. */
export function readSource(command: Command): CollectorOptions {
  const flags = command.opts<SourceFlags>();
  const [name = 'perf', url, ...others] = command.args;
  const collector = COLLECTORS.find((one) => one === name);
  if (collector === undefined) {
    throw usageError(`not a collector: ${JSON.stringify(name)}`, `give ${COLLECTORS.join(', ')}, or only --pid N`);
  }
  for (const [flag, owners] of Object.entries(OWN)) {
    if (command.getOptionValueSource(flag) !== 'cli' || owners.includes(collector)) continue;
    const option = `--${flag.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
    throw usageError(`${option} is not for ${collector}`, `it is for ${owners.join(' and ')}`);
  }
  if (others.length > 0 || (url !== undefined && collector !== 'pprof')) {
    throw usageError(`unexpected argument: ${JSON.stringify(others[0] ?? url)}`, 'give the process with --pid N');
  }
  return collector === 'pprof' ? readPprof(flags, url) : readTraced(command, collector);
}

function readTraced(command: Command, collector: Exclude<(typeof COLLECTORS)[number], 'pprof'>): CollectorOptions {
  const flags = command.opts<SourceFlags>();
  const { pid, rate } = flags;
  if (pid === undefined) throw usageError('no process given', 'give --pid N; flamebench ps lists processes');
  const common = {
    scope: { kind: 'pid', pid, startTicks: null } as const,
    seconds: null,
    ...(flags.sudo === true ? { asRoot: true } : {}),
  };
  if (collector === 'perf') {
    return { ...common, collector, rateHz: rate, event: flags.event ?? null, callGraph: flags.callGraph };
  }
  if (rate > MAX_RECIPE_HZ) throw usageError(`--rate is too high for ${collector}`, `give at most ${MAX_RECIPE_HZ}`);
  return { ...common, collector, what: readWhat(command, 'on-cpu') };
}

const MAX_RECIPE_HZ = 9999;

function readPprof(flags: SourceFlags, text: string | undefined): PprofOptions {
  const { pid, kind, every } = flags;
  if (text !== undefined && pid !== undefined)
    throw usageError('a URL and --pid can’t be combined', 'give one of them');
  if (text === undefined && pid === undefined) throw usageError('no address given', 'give a URL, or --pid N');
  const typed = text === undefined ? null : readUrl(text);
  const headers = [...(typed?.credentials ?? []), ...(flags.header ?? []).map(readHeader)];
  const tls = readTls(flags);
  return {
    collector: 'pprof',
    scope: typed === null ? { kind: 'pid', pid: pid!, startTicks: null } : { kind: 'url', url: typed.url },
    kinds: [kind],
    seconds: every,
    ...(headers.length === 0 ? {} : { headers }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
}
