import { CLICKHOUSE, columnsOf, FLEET_VERSION, MARKER, TABLE_NAMES, type TableName } from './schema.ts';

export interface ServerTables {
  /** Letters, digits and underscores. */
  readonly database: string;
  /** Name of the cluster whose replicas and shards share the tables; null: the tables of one server. */
  readonly cluster: string | null;
  /** Days after the push at which captures expire; null: never. */
  readonly ttlDays: number | null;
  /** Each user reads only what it pushed. */
  readonly byTeam: boolean;
}

interface Layout {
  /** Rows with an equal key are one row once merged, `null`: all rows are kept. */
  readonly unique: string | null;
  readonly order: readonly string[];
  /** Rows with an equal value are on one shard. */
  readonly shard: string;
  readonly expires: boolean;
}

const LAYOUTS: Readonly<Record<TableName, Layout>> = {
  // Two pushes of a file at the same time both write it; reads with FINAL have one of them.
  captures: { unique: 'Replacing', order: ['id'], shard: 'sipHash64(id)', expires: true },
  totals: { unique: null, order: ['capture', 'type', 'unit'], shard: 'capture', expires: true },
  frames: { unique: 'Replacing', order: ['frame'], shard: 'frame', expires: false },
  stacks: { unique: 'Replacing', order: ['stack'], shard: 'stack', expires: false },
  samples: { unique: null, order: ['capture', 'type', 'unit', 'stack', 'thread'], shard: 'capture', expires: true },
};

/** Days by which samples outlive their captures, so that no capture is listed without them. */
const GRACE_DAYS = 7;

/**
 * Returns the statements that make an empty fleet of ClickHouse; running them again changes nothing. The last one writes
 * the version, so tables without it are unfinished.
 */
export function serverTables(options: ServerTables): string[] {
  const { database, cluster, byTeam } = options;
  const everywhere = cluster === null ? '' : ` ON CLUSTER '${cluster}'`;
  const make = (table: string, columns: readonly string[], engine: string, order: string, shard: string): string[] => {
    const local = cluster === null ? table : `${table}_local`;
    const own = `CREATE TABLE IF NOT EXISTS ${database}.${local}${everywhere} (\n  ${columns.join(',\n  ')}\n)`;
    if (cluster === null) return [`${own}\nENGINE = ${engine}MergeTree\n${order}`];
    const place = `'/clickhouse/tables/{shard}/${database}/${local}', '{replica}'`;
    return [
      `${own}\nENGINE = Replicated${engine}MergeTree(${place})\n${order}`,
      `CREATE TABLE IF NOT EXISTS ${database}.${table}${everywhere} AS ${database}.${local}\n` +
        `ENGINE = Distributed('${cluster}', '${database}', '${local}', ${shard})`,
    ];
  };
  const tables = TABLE_NAMES.flatMap((table) => {
    const { unique, order, shard } = LAYOUTS[table];
    const columns = [...columnsOf(table, CLICKHOUSE), 'pushed Date DEFAULT today()'];
    // Of a column that is materialized, no INSERT can give the value.
    if (byTeam) columns.push('team String MATERIALIZED currentUser()');
    const key = byTeam ? ['team', ...order] : order;
    const end = `ORDER BY (${key.join(', ')})${expiry(table, options)}`;
    return make(table, columns, unique ?? '', end, shard);
  });
  const policies = TABLE_NAMES.map((table) => {
    const local = cluster === null ? table : `${table}_local`;
    return (
      `CREATE ROW POLICY IF NOT EXISTS flamebench_team${everywhere} ON ${database}.${local}\n` +
      'USING team = currentUser() TO ALL'
    );
  });
  const marker = `${database}.${MARKER}`;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}${everywhere}`,
    // First, so that tables which an interrupted run left are known as ours.
    ...make(MARKER, ['version UInt64'], 'Replacing', 'ORDER BY version', 'version'),
    ...tables,
    ...(byTeam ? policies : []),
    `INSERT INTO ${marker} (version) SELECT ${FLEET_VERSION} WHERE (SELECT count() FROM ${marker}) = 0`,
  ];
}

function expiry(table: TableName, { ttlDays }: ServerTables): string {
  if (ttlDays === null || !LAYOUTS[table].expires) return '';
  return `\nTTL pushed + INTERVAL ${table === 'captures' ? ttlDays : ttlDays + GRACE_DAYS} DAY`;
}
