/** Version of {@link TABLES}; a change of tables or of how ids are hashed is a new version. */
export const FLEET_VERSION = 1;

/** The table by which a file is recognised as a fleet; it has one row. */
export const MARKER = 'flamebench_fleet';

/** Types of columns, by which an engine chooses its own; `?` allows null. */
type ColumnType = 'text' | 'text?' | 'id' | 'ids' | 'labels' | 'count' | 'small' | 'real' | 'real?' | 'flag';

export const CLICKHOUSE: Readonly<Record<ColumnType, string>> = {
  text: 'String',
  'text?': 'Nullable(String)',
  id: 'UInt64',
  ids: 'Array(UInt64)',
  labels: 'Map(String, String)',
  count: 'UInt64',
  small: 'UInt8',
  real: 'Float64',
  'real?': 'Nullable(Float64)',
  flag: 'Bool',
};

const DUCKDB: Readonly<Record<ColumnType, string>> = {
  text: 'VARCHAR NOT NULL',
  'text?': 'VARCHAR',
  id: 'UBIGINT NOT NULL',
  ids: 'UBIGINT[] NOT NULL',
  labels: 'MAP(VARCHAR, VARCHAR) NOT NULL',
  count: 'UBIGINT NOT NULL',
  small: 'UTINYINT NOT NULL',
  real: 'DOUBLE NOT NULL',
  'real?': 'DOUBLE',
  flag: 'BOOLEAN NOT NULL',
};

/**
 * The tables of a fleet; see docs/fleet.md. Rows are only ever added. Ids are hashes, so that every writer computes the
 * same ones without asking; no table needs a key that the engine enforces.
 */
export const TABLES = {
  captures: {
    capture: 'id',
    id: 'text',
    name: 'text',
    time: 'real',
    host: 'text?',
    service: 'text',
    release: 'text',
    commit_id: 'text',
    labels: 'labels',
    event: 'text',
    unit: 'text',
    format: 'text',
    program: 'text?',
    build_id: 'text?',
    kernel: 'text?',
    cpus: 'real?',
    rate_hz: 'real?',
    seconds: 'real?',
    is_span: 'flag',
    cpu_seconds: 'real?',
    requests: 'real?',
    quality: 'text',
  },
  totals: { capture: 'id', type: 'text', unit: 'text', weight: 'real', samples: 'count', period: 'real?' },
  frames: { frame: 'id', function: 'text', module: 'text', file: 'text', line: 'count', kind: 'small' },
  stacks: { stack: 'id', frames: 'ids' },
  samples: {
    capture: 'id',
    type: 'text',
    unit: 'text',
    thread: 'text',
    stack: 'id',
    weight: 'real',
    samples: 'count',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnType>>>>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** Returns the columns of a table as a statement lists them. */
export const columnsOf = (table: TableName, types: Readonly<Record<ColumnType, string>>): string[] =>
  Object.entries(TABLES[table]).map(([column, type]) => `${column} ${types[type]}`);

/** Returns the statements that make an empty fleet of DuckDB. */
export function fleetTables(): string[] {
  return [
    ...TABLE_NAMES.map((name) => `CREATE TABLE ${name} (${columnsOf(name, DUCKDB).join(', ')})`),
    `CREATE TABLE ${MARKER} (version UBIGINT NOT NULL)`,
    `INSERT INTO ${MARKER} VALUES (${FLEET_VERSION})`,
  ];
}
