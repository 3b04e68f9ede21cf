import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import { runToEnd } from '../target/run-to-end.ts';
import { SpawnFailure, type Target } from '../target/target.ts';
import { parseEvents, type EventTerm, type PmuTerm } from './event-grammar.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';

/** A virtual machine without PMUs lists 62 kB (perf 6.1); this leaves room for machines with many. */
const LIST_LIMITS = { timeoutMs: 20_000, maxBytes: 8 << 20 };

/**
 * perf lists only events that work on the machine; it knows these everywhere, and reports it itself if they do not
 * work.
 */
const GENERIC_NAMES: ReadonlySet<string> = new Set(
  (
    'cycles cpu-cycles instructions cache-references cache-misses branches branch-instructions branch-misses bus-cycles ref-cycles ' +
    'stalled-cycles-frontend idle-cycles-frontend stalled-cycles-backend idle-cycles-backend ' +
    'cpu-clock task-clock page-faults faults minor-faults major-faults context-switches cs cpu-migrations migrations ' +
    'alignment-faults emulation-faults cgroup-switches dummy'
  ).split(' '),
);

/**
 * Terms that perf accepts for every PMU (tools/perf/util/parse-events.l: config_term), except those that name files or
 * sinks.
 */
const GENERIC_TERMS: ReadonlySet<string> = new Set(
  'config config1 config2 config3 name period freq time call-graph stack-size max-stack inherit no-inherit percore'.split(
    ' ',
  ),
);

const TRACING_FOLDERS = ['/sys/kernel/tracing', '/sys/kernel/debug/tracing'];
const PMU_FOLDER = '/sys/bus/event_source/devices';

/**
 * Checks whether a caller's event may be passed to perf: every part of it must match the grammar and exist on the
 * target. Runs at most `perf list`, never with text from the caller. `asRoot` leaves tracepoints that only root sees to
 * perf.
 */
export async function checkEvents(
  target: Target,
  perfPath: string,
  text: string,
  { asRoot }: { readonly asRoot: boolean },
): Promise<Check> {
  const failed = (found: string): Check => checkOf('event', 'failed', found, REMEDY);
  const { events, refusal } = parseEvents(text);
  if (events === null) return failed(`invalid event: ${refusal}`);
  if (await namesFile(target, text, events)) return failed(`invalid event: ${JSON.stringify(text)} is a file`);
  const listed = lazily(() => listEvents(target, perfPath));
  for (const event of events) {
    const missing = await findMissing(target, event, listed, asRoot);
    if (missing !== null) return failed(missing);
  }
  return checkOf('event', 'ok', text);
}

const REMEDY = 'leave the event out to use the best that works here, or choose one from: perf list';

/** Returns whether an event is the name of a file, which perf would read instead. */
async function namesFile(target: Target, text: string, events: readonly EventTerm[]): Promise<boolean> {
  const names = events.flatMap((event) => (event.kind === 'name' ? [event.name] : []));
  const found = await Promise.all([...new Set([text, ...names])].map((name) => target.stat(name)));
  return found.some((facts) => facts !== null);
}

/** Returns one clause that names what the target lacks; null if nothing is missing. */
async function findMissing(
  target: Target,
  event: EventTerm,
  listed: () => Promise<ReadonlySet<string>>,
  asRoot: boolean,
): Promise<string | null> {
  switch (event.kind) {
    case 'raw':
    case 'memory':
      return null;
    case 'name':
      if (GENERIC_NAMES.has(event.name) || (await listed()).has(event.name)) return null;
      return `perf lists no event ${event.name}`;
    case 'tracepoint':
      return findMissingTracepoint(target, event, asRoot);
    case 'pmu':
      return findMissingTerm(target, event, listed);
  }
}

async function findMissingTracepoint(
  target: Target,
  { system, name }: { readonly system: string; readonly name: string },
  asRoot: boolean,
): Promise<string | null> {
  const roots = await Promise.all(TRACING_FOLDERS.map((folder) => list(target, `${folder}/events`)));
  const readable = TRACING_FOLDERS.filter((_, index) => roots[index] !== null);
  for (const folder of readable) {
    if ((await target.stat(`${folder}/events/${system}/${name}/format`)) !== null) return null;
  }
  if (readable.length > 0) return `there is no tracepoint or probe ${system}:${name}`;
  if (asRoot) return null;
  return `whether there is a tracepoint ${system}:${name} can’t be checked: this user may not read /sys/kernel/tracing`;
}

async function findMissingTerm(
  target: Target,
  { pmu, terms }: { readonly pmu: string; readonly terms: readonly PmuTerm[] },
  listed: () => Promise<ReadonlySet<string>>,
): Promise<string | null> {
  const folder = `${PMU_FOLDER}/${pmu}`;
  if ((await list(target, folder)) === null) return `there is no PMU ${pmu}`;
  const [format, events] = await Promise.all([list(target, `${folder}/format`), list(target, `${folder}/events`)]);
  const known = new Set([...(format ?? []), ...(events ?? [])]);
  for (const { name, value } of terms) {
    if (known.has(name) || GENERIC_TERMS.has(name)) continue;
    // perf's list includes events of its own tables, which the kernel does not list; `r1a8` is the PMU's raw event.
    const isListed = (await listed()).has(`${pmu}/${name}/`) || (await listed()).has(name);
    if (value === null && (isListed || /^r[0-9a-f]{1,16}$/i.test(name))) continue;
    return `the PMU ${pmu} has no event or term ${name}`;
  }
  return null;
}

const list = (target: Target, path: string): Promise<readonly string[] | null> =>
  target.listDirectory(path).catch(() => null);

async function listEvents(target: Target, perfPath: string): Promise<ReadonlySet<string>> {
  try {
    const argv = [perfPath, 'list', '--raw-dump'];
    const { stdout } = await runToEnd(target, argv, { env: PERF_ENVIRONMENT, ...LIST_LIMITS });
    return new Set(new TextDecoder().decode(stdout).split(/\s+/));
  } catch (error) {
    if (!(error instanceof SpawnFailure)) throw error;
    return new Set();
  }
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
