import type { CollectorMemory, MemoryFile, MemoryTable } from '#collectors/collector.ts';
import { openConfigFile } from '../config/config-file.ts';

interface OpenTable {
  readonly table: MemoryTable<unknown>;
  close(): Promise<void>;
}

/** What collectors learn, in files of `folder`, each opened when it is first needed. */
export function openCollectorMemory(folder: string): CollectorMemory & { close(): Promise<void> } {
  const tables = new Map<string, Promise<OpenTable>>();
  return {
    async table<Row>(of: MemoryFile<Row>) {
      const opened = tables.get(of.fileName) ?? openTable(folder, of);
      tables.set(of.fileName, opened);
      return (await opened).table as MemoryTable<Row>;
    },
    async close() {
      for (const opened of tables.values()) await (await opened).close();
    },
  };
}

async function openTable<Row>(folder: string, { fileName, list, row, maxRows }: MemoryFile<Row>): Promise<OpenTable> {
  const file = await openConfigFile<readonly Row[]>({
    folder,
    name: fileName,
    initial: [],
    read: ({ [list]: found }) => {
      const rows = Array.isArray(found) ? found.map((one: unknown) => row.safeParse(one)) : [];
      const usable = rows.flatMap((one) => (one.success ? [one.data] : [])).slice(0, maxRows);
      const lost = rows.length - usable.length;
      return { value: usable, problems: lost === 0 ? [] : [`${lost} of its ${list} are not valid`] };
    },
    write: (rows) => ({ [list]: rows }),
  });
  const table: MemoryTable<Row> = {
    get: file.get,
    edit: async (change) => void (await file.edit((rows) => change(rows).slice(0, maxRows)).catch(() => null)),
  };
  return { table, close: file.close };
}
