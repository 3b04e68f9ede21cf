import * as z from 'zod';

/** Maximum number of sources of a sweep. */
export const MAX_SOURCES = 3;

const httpUrl = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s/?#]+\S*$/i);

/** Series that are read beside the server's vitals. */
export const loadSeriesSchema = z.discriminatedUnion('kind', [
  /** A Prometheus text endpoint, polled each second by this machine. */
  z.object({
    kind: z.literal('prometheus'),
    url: httpUrl,
  }),
  /** StatsD lines that arrive over UDP at this port of the loopback of this machine. */
  z.object({ kind: z.literal('statsd'), port: z.number().int().min(1).max(65_535) }),
  /** The event loop of a Node process, of the server or of the machine that sends the requests. */
  z.object({ kind: z.literal('node'), pid: z.number().int().positive().max(2_147_483_647) }),
  /** Single requests to the address under load, at a steady rate, from the machine that sends the load. */
  z.object({
    kind: z.literal('probe'),
    perSecond: z.number().int().min(1).max(50),
    /** A header of the answers that names the instance; null: none. */
    instance: z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .nullable(),
    /** A component of the server, by its name, and its own address; absent: the address under load. */
    hop: z.object({ name: z.string().min(1).max(100), url: httpUrl }).exactOptional(),
  }),
  /** A histogram of durations that a component counts itself, at a Prometheus text endpoint. */
  z.object({
    kind: z.literal('histogram'),
    hop: z.object({ name: z.string().min(1).max(100), url: httpUrl }),
    /** Its name, without `_bucket`; null: the one that counts most. */
    metric: z
      .string()
      .regex(/^[A-Za-z_:][\w:]{0,199}$/)
      .nullable(),
  }),
  /** A table that something else writes, on the machine that sends the requests; read after each run. */
  z.object({
    kind: z.literal('csv'),
    path: z
      .string()
      .min(1)
      .max(4096)
      .regex(/^[^-\0]/),
  }),
]);
export type LoadSeries = z.infer<typeof loadSeriesSchema>;

/** Parses `http://host:9100/metrics`, `statsd:8125`, `node:4711`, `probe:10`, `probe:10,x-served-by`, `probe:10,app=http://host:8081/` or the path of a CSV file; null if it is none of them. */
export function parseLoadSeries(text: string): LoadSeries | null {
  const word = text.trim();
  const port = /^statsd:(\d{1,5})$/i.exec(word)?.[1];
  const pid = /^node:(\d{1,10})$/i.exec(word)?.[1];
  const probe = /^probe:(\d{1,3})(?:,([\w-]+))?(?:,([^=]+)=(\S+))?$/i.exec(word);
  const read = loadSeriesSchema.safeParse(
    probe !== null
      ? {
          kind: 'probe',
          perSecond: Number(probe[1]),
          instance: probe[2] ?? null,
          ...(probe[3] === undefined ? {} : { hop: { name: probe[3].trim(), url: probe[4] } }),
        }
      : port !== undefined
        ? { kind: 'statsd', port: Number(port) }
        : pid !== undefined
          ? { kind: 'node', pid: Number(pid) }
          : /^https?:\/\//i.test(word)
            ? { kind: 'prometheus', url: word }
            : /^probe:/i.test(word)
              ? null
              : { kind: 'csv', path: word },
  );
  return read.success ? read.data : null;
}

/** Splits `app=:8080,metrics=http://127.0.0.1:8081/metrics#NAME`: a component, and the source of its own histogram; null: it has none. */
export function splitMetrics(word: string): { readonly component: string; readonly source: LoadSeries } | null {
  const [, component, name, url, metric = null] =
    /^(([^=\s][^=,]{0,99})=[^,=]*),metrics=([^\s#]+)(?:#(\S*))?$/.exec(word) ?? [];
  if (component === undefined) return null;
  const read = loadSeriesSchema.safeParse({ kind: 'histogram', hop: { name, url }, metric });
  return read.success ? { component, source: read.data } : null;
}

/** Returns the source's name in charts and sentences; its URL may hold secrets, which the caller redacts. */
export function seriesTitle(source: LoadSeries): string {
  switch (source.kind) {
    case 'prometheus':
      return source.url;
    case 'statsd':
      return `StatsD at port ${source.port}`;
    case 'node':
      return `Node ${source.pid}`;
    case 'probe':
      return `probes${source.hop === undefined ? '' : ` of ${source.hop.name}`}, ${source.perSecond} per second`;
    case 'histogram':
      return `histogram of ${source.hop.name}`;
    case 'csv':
      return source.path.replace(/^.*\//, '');
  }
}
