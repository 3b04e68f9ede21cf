import * as z from 'zod';
import type { PerfMemory, RememberedPerf } from '#collectors/perf/perf-memory.ts';
import { openConfigFile } from '../config/config-file.ts';

/** Results of trial runs of perf on hosts, keyed by everything that affects them. */
interface HostMemory extends PerfMemory {
  close(): Promise<void>;
}

/** Newest first; a row has some 300 bytes. */
const MAX_HOSTS = 500;
const MAX_SCOPES = 50;

const rowSchema = z.object({
  key: z.string().min(1).max(2000),
  version: z.string().max(100).nullable(),
  event: z.enum(['cycles', 'cpu-clock']),
  kernelSamples: z.boolean().nullable(),
  scopes: z.array(z.string().max(100)).max(MAX_SCOPES),
});
type HostRow = z.infer<typeof rowSchema>;

export async function openHostMemory(folder: string): Promise<HostMemory> {
  const file = await openConfigFile<readonly HostRow[]>({
    folder,
    name: 'perf-hosts.json',
    initial: [],
    read: ({ hosts }) => {
      const rows = Array.isArray(hosts) ? hosts.map((row: unknown) => rowSchema.safeParse(row)) : [];
      const usable = rows.flatMap((row) => (row.success ? [row.data] : [])).slice(0, MAX_HOSTS);
      const lost = rows.length - usable.length;
      return { value: usable, problems: lost === 0 ? [] : [`${lost} of its hosts are not valid`] };
    },
    write: (hosts) => ({ hosts }),
  });
  const change = async (edit: (rows: readonly HostRow[]) => HostRow[]): Promise<void> => {
    await file.edit(edit).catch(() => null);
  };
  return {
    find: (key) => file.get().find((row) => row.key === key) ?? null,
    remember: (key, found: RememberedPerf) =>
      change((rows) =>
        [{ key, ...found, scopes: found.scopes.slice(-MAX_SCOPES) }, ...rows.filter((row) => row.key !== key)].slice(
          0,
          MAX_HOSTS,
        ),
      ),
    forget: (prefix) => change((rows) => rows.filter((row) => !row.key.startsWith(prefix))),
    close: () => file.close(),
  };
}
