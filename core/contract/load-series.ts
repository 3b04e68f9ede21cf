import * as z from 'zod';

/** Maximum number of sources of a sweep. */
export const MAX_SOURCES = 3;

/** Series that are read beside the server's vitals. */
export const loadSeriesSchema = z.discriminatedUnion('kind', [
  /** A Prometheus text endpoint, polled each second by this machine. */
  z.object({
    kind: z.literal('prometheus'),
    url: z
      .string()
      .max(2000)
      .regex(/^https?:\/\/[^\s/?#]+\S*$/i),
  }),
  /** StatsD lines that arrive over UDP at this port of the loopback of this machine. */
  z.object({ kind: z.literal('statsd'), port: z.number().int().min(1).max(65_535) }),
  /** The event loop of a Node process, of the server or of the machine that sends the requests. */
  z.object({ kind: z.literal('node'), pid: z.number().int().positive().max(2_147_483_647) }),
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

/** Parses `http://host:9100/metrics`, `statsd:8125`, `node:4711` or the path of a CSV file; null if it is none of them. */
export function parseLoadSeries(text: string): LoadSeries | null {
  const word = text.trim();
  const port = /^statsd:(\d{1,5})$/i.exec(word)?.[1];
  const pid = /^node:(\d{1,10})$/i.exec(word)?.[1];
  const read = loadSeriesSchema.safeParse(
    port !== undefined
      ? { kind: 'statsd', port: Number(port) }
      : pid !== undefined
        ? { kind: 'node', pid: Number(pid) }
        : /^https?:\/\//i.test(word)
          ? { kind: 'prometheus', url: word }
          : { kind: 'csv', path: word },
  );
  return read.success ? read.data : null;
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
    case 'csv':
      return source.path.replace(/^.*\//, '');
  }
}
