import { createSocket } from 'node:dgram';
import { seriesTitle, type LoadSeries } from '#core/contract/load/series.ts';
import type { RunSeries } from '#core/contract/load/result.ts';
import { MAX_VITALS } from '#core/contract/load/load-test.ts';
import { findGrowth, growthSentence, loopValues, type LoopReading } from '#core/import/v8/event-loop.ts';
import { readSeriesCsv } from '#core/load/series/csv.ts';
import { histogramSeries, readHistograms, type HistogramPoll } from '#core/load/series/histogram.ts';
import { readPrometheus, type PrometheusSample } from '#core/load/series/prometheus.ts';
import { MAX_OTHER_SERIES, seriesOfRun, type SeriesReading } from '#core/load/series/readings.ts';
import { createStatsd } from '#core/load/series/statsd.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { messageOf } from '#core/model/failure.ts';
import { countText } from '#core/units/format.ts';
import { watchLoop } from '#collectors/node/watch-loop.ts';
import { toFailure } from '#collectors/recording-failure.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure, errorCode } from '../failure.ts';
import { startProbes, type ProbedRequest, type ProbesBeside } from './probe-beside.ts';

/** Series beside the server's vitals, for a whole sweep. */
export interface SeriesWatch {
  /** Returns what the sources said between two times, and what the user should know of it. */
  during(from: number, to: number): Promise<{ readonly vitals: readonly RunSeries[]; readonly notes: string[] }>;
  /** Idempotent. */
  end(): void;
}

/** One source: its readings since a time, and what is missing of them. */
interface Source {
  readonly title: string;
  since(from: number): Promise<{ readonly readings: readonly SeriesReading[]; readonly note: string | null }>;
  end(): void;
}

/** A source of answers and their latencies. */
type Answering = ProbesBeside & Pick<Source, 'title'>;

/** Time between two readings. Milliseconds. */
const PERIOD_MS = 1000;
/** Time that an answer of a Prometheus endpoint may take, and its size. */
const ANSWER_MS = 900;
const LAST_ANSWER_MS = 5000;
const MAX_ANSWER = 8 << 20;

/** Machines whose series are read. */
interface SeriesMachines {
  /** What the load requests. */
  readonly request: ProbedRequest;
  /** The one that sends the requests. */
  readonly target: Target;
  /** Returns the machine of a Node process. */
  readonly nodes: (pid: number) => Target;
}

/** Starts reading. Rejects with an `EngineFailure` if a port is in use, or an event loop can't be read. */
export async function watchSeries(
  asked: readonly LoadSeries[],
  machines: SeriesMachines,
  most: number,
): Promise<SeriesWatch> {
  const sources: (Source | Answering)[] = [];
  const end = (): void => {
    for (const source of sources) source.end();
  };
  try {
    for (const one of asked) sources.push(await open(one, machines));
  } catch (error) {
    end();
    throw error;
  }
  return {
    async during(from, to) {
      const vitals: RunSeries[] = [];
      const notes: string[] = [];
      for (const source of sources) {
        if ('during' in source) {
          const found = await source.during(from, to, Math.min(most, MAX_VITALS));
          if (found === null) notes.push(`${source.title}: no answer during the run${source.missing ?? ''}.`);
          else vitals.push(found);
          continue;
        }
        const { readings, note } = await source.since(from);
        const found = seriesOfRun(source.title, readings, { from, to, most });
        const why = note ?? (found === null ? 'no values during the run' : null);
        if (why !== null) notes.push(`${source.title}: ${why}.`);
        if (found !== null) {
          vitals.push(found.vitals);
          if (found.leftOut > 0)
            notes.push(`${source.title}: ${found.leftOut} series after the first ${MAX_OTHER_SERIES} are left out.`);
          if (found.negative > 0)
            notes.push(
              `${source.title}: ${countText(found.negative, 'negative value is', 'negative values are')} left out.`,
            );
        }
      }
      return { vitals, notes: notes.map((line) => line.slice(0, 1000)) };
    },
    end,
  };
}

async function open(source: LoadSeries, { target, nodes, request }: SeriesMachines): Promise<Source | Answering> {
  const title = redactText(seriesTitle(source));
  switch (source.kind) {
    case 'prometheus':
      return pollPrometheus(title, source.url);
    case 'statsd':
      return listenStatsd(title, source.port);
    case 'node':
      return readLoop(title, source.pid, nodes(source.pid));
    case 'probe':
      return { title, ...(await startProbes(target, title, source, request)) };
    case 'histogram':
      return pollHistogram(title, source);
    case 'csv':
      return readCsv(title, source.path, target);
  }
}

/** Polls once a second. A counter is shown as its change per second. */
function pollPrometheus(title: string, url: string): Source {
  let readings: SeriesReading[] = [];
  let failures: { readonly at: number; readonly reason: string }[] = [];
  let before: { readonly at: number; readonly samples: ReadonlyMap<string, PrometheusSample> } | null = null;
  const poll = async (): Promise<void> => {
    try {
      const { text, at } = await fetchText(url, ANSWER_MS);
      const samples = readPrometheus(text);
      readings.push({ at, values: valuesOf(samples, before, at) });
      before = { at, samples };
      if (samples.size === 0) throw new Error('it has no samples of Prometheus');
    } catch (error) {
      const reason = redactText(messageOf(error));
      failures.push({ at: Date.now(), reason });
    }
  };
  void poll();
  const timer = setInterval(() => void poll(), PERIOD_MS);
  return {
    title,
    since(from) {
      readings = readings.filter(({ at }) => at >= from);
      failures = failures.filter(({ at }) => at >= from);
      const [last] = failures.slice(-1);
      const note =
        last === undefined
          ? null
          : `${failures.length === 1 ? '1 poll' : `${failures.length} polls`} without a usable answer (${last.reason})`;
      return Promise.resolve({ readings, note });
    },
    end: () => clearInterval(timer),
  };
}

/** Polls a component's own histogram once a second and after each run; a poll without an answer is left out. */
function pollHistogram(title: string, source: Extract<LoadSeries, { kind: 'histogram' }>): Answering {
  let polls: HistogramPoll[] = [];
  const poll = (within: number): Promise<void> =>
    fetchText(source.hop.url, within).then(
      ({ text, at }) => void polls.push({ at, histograms: readHistograms(text) }),
      () => undefined,
    );
  void poll(ANSWER_MS);
  const timer = setInterval(() => void poll(ANSWER_MS), PERIOD_MS);
  return {
    title,
    missing: ' that a histogram of durations counted within its last bound',
    async during(from) {
      // Once the load has ended, its server has time to answer.
      await poll(LAST_ANSWER_MS);
      polls = polls.filter(({ at }) => at >= from).sort((a, b) => a.at - b.at);
      return histogramSeries(title, polls, { from, to: Date.now() }, source);
    },
    end: () => clearInterval(timer),
  };
}

/** Returns an endpoint's answer and when it began. `within` milliseconds. */
async function fetchText(url: string, within: number): Promise<{ readonly text: string; readonly at: number }> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(within) });
  const at = Date.now();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return { text: await textOf(answer), at };
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  if (body === null) return '';
  const chunks: AsyncIterable<Uint8Array> = body;
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER) throw new Error('the answer is too long');
  }
  return text;
}

function valuesOf(
  samples: ReadonlyMap<string, PrometheusSample>,
  before: { readonly at: number; readonly samples: ReadonlyMap<string, PrometheusSample> } | null,
  at: number,
): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const [name, { value, isCounter }] of samples) {
    if (!isCounter) values.set(name, value);
    else {
      const last = before?.samples.get(name)?.value;
      // A counter that fell was reset.
      if (before !== null && last !== undefined && value >= last)
        values.set(`${name} per second`, ((value - last) * 1000) / (at - before.at));
    }
  }
  return values;
}

async function listenStatsd(title: string, port: number): Promise<Source> {
  let readings: SeriesReading[] = [];
  let skipped = 0;
  const second = createStatsd();
  const socket = createSocket('udp4');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('error', (error) =>
    reject(
      new EngineFailure(
        'port-in-use',
        `StatsD: port ${port} of UDP can’t be used (${errorCode(error) ?? error.message}).`,
        'Give another port, or end what listens there.',
      ),
    ),
  );
  socket.on('message', (packet) => {
    skipped += second.add(packet.toString('utf8'));
  });
  socket.bind(port, '127.0.0.1', resolve);
  await promise;
  const timer = setInterval(() => {
    const values = second.flush();
    if (values.size > 0) readings.push({ at: Date.now(), values });
  }, PERIOD_MS);
  return {
    title,
    since(from) {
      readings = readings.filter(({ at }) => at >= from);
      const note = skipped > 0 ? `not StatsD, and skipped: ${skipped} ${skipped === 1 ? 'line' : 'lines'}` : null;
      skipped = 0;
      return Promise.resolve({ readings, note });
    },
    end() {
      clearInterval(timer);
      socket.close();
    },
  };
}

/** Returns what turns an error into the `EngineFailure` of a process whose event loop can't be read. */
export const failLoop =
  (pid: number) =>
  (error: unknown): never => {
    const { message, remedy } = toFailure(error);
    throw new EngineFailure('no-series', `Event loop of ${pid}: ${message}.`, remedy);
  };

/** Reads after each run what the process has noted once a second. */
async function readLoop(title: string, pid: number, target: Target): Promise<Source> {
  const loop = await watchLoop(target, pid).catch(failLoop(pid));
  let readings: LoopReading[] = [];
  return {
    title,
    async since(from) {
      try {
        readings = [...readings, ...(await loop.take())].filter(({ at }) => at >= from);
        const [growth] = findGrowth(readings.map((one) => ({ ...one, at: one.at * 1000 })));
        const note = growth === undefined ? null : growthSentence(growth).replace(/\.$/, '');
        return { readings: readings.map((one) => ({ at: one.at, values: loopValues(one) })), note };
      } catch (error) {
        return { readings: [], note: toFailure(error).message };
      }
    },
    end: () => loop.end(),
  };
}

function readCsv(title: string, path: string, target: Target): Source {
  return {
    title,
    async since() {
      const run = (...argv: string[]) => runToEnd(target, [...argv, path]).catch(() => null);
      const [printed, head] = await Promise.all([run('tail', '-c', String(MAX_ANSWER)), run('head', '-n', '1')]);
      if (printed?.exit.code !== 0 || head?.exit.code !== 0) return { readings: [], note: 'the file can’t be read' };
      const [text, heading] = [printed, head].map(({ stdout }) => new TextDecoder().decode(stdout)) as [string, string];
      // Of a long file only the end is read, with its heading; a row that was cut has no time.
      const found = readSeriesCsv(text.startsWith(heading) ? text : `${heading}${text}`);
      if (found === null) return { readings: [], note: 'the file is not a table of comma-separated values' };
      const { readings, skipped } = found;
      return {
        readings,
        note: skipped > 0 ? `${countText(skipped, 'row has', 'rows have')} no time in the first column` : null,
      };
    },
    end: () => undefined,
  };
}
