import { hash as digest, randomUUID } from 'node:crypto';
import type { CaptureRows, FleetSample, FleetTotal, Hash } from '#core/fleet/capture-rows.ts';
import type { FleetCapture } from '#core/fleet/merge-captures.ts';
import type { FleetStore, FleetValue, TableRows } from './store.ts';

/** The first 64 bits of SHA-256. Never 0, which stands for the empty stack. */
export const hash64: Hash = (text) => BigInt(`0x${digest('sha256', text, 'hex').slice(0, 16)}`) || 1n;

/** A capture that a fleet has already. */
interface KnownCapture {
  readonly name: string;
  readonly host: string | null;
  readonly samples: number;
}

/** Returns the capture with this id; null if it was not pushed before. */
async function pushedBefore(fleet: FleetStore, id: string): Promise<KnownCapture | null> {
  const [row] = await fleet.query(
    `SELECT c.name AS name, c.host AS host, t.samples AS samples FROM captures AS c
     LEFT JOIN totals AS t ON t.capture = c.capture AND t.type = c.event AND t.unit = c.unit WHERE c.id = $1`,
    [id],
  );
  if (row === undefined) return null;
  return {
    name: String(row['name']),
    host: (row['host'] as string | null) ?? null,
    samples: Number(row['samples'] ?? 0),
  };
}

/**
 * Captures that are written together. Their rows in `captures` are the last, and their keys are of this attempt alone:
 * if a write ends halfway, what it left belongs to no capture, and the next push counts nothing twice.
 */
export class PushBatch {
  readonly fleet: FleetStore;
  readonly #batchRows: number;
  #waiting = new Map<string, { readonly capture: FleetCapture; readonly rows: CaptureRows }>();
  #rows = 0;
  #isFailed = false;

  /** `batchRows`: rows of samples after which a write begins. */
  constructor(fleet: FleetStore, batchRows = fleet.batchRows) {
    this.fleet = fleet;
    this.#batchRows = batchRows;
  }

  /** Returns the capture with this id, if it is in the fleet or waits here. */
  async pushedBefore(id: string): Promise<KnownCapture | null> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return pushedBefore(this.fleet, id);
    const { event, unit, name, host } = waiting.capture;
    const own = waiting.rows.totals.find((total) => total.type === event && total.unit === unit);
    return { name, host, samples: own?.samples ?? 0 };
  }

  /** Returns whether the fleet has no captures, and none waits here. */
  async isEmpty(): Promise<boolean> {
    return this.#waiting.size === 0 && (await this.fleet.query('SELECT id FROM captures LIMIT 1')).length === 0;
  }

  /** Whether everything that was added is in the fleet. */
  get isWritten(): boolean {
    return this.#waiting.size === 0 && !this.#isFailed;
  }

  /** Adds a capture; writes all that wait, once there are enough. */
  async add(capture: FleetCapture, rows: CaptureRows): Promise<void> {
    this.#waiting.set(capture.id, { capture, rows });
    this.#rows += rows.samples.length;
    if (this.#rows >= this.#batchRows) await this.flush();
  }

  /** Writes what waits. After a failure, nothing waits. */
  async flush(): Promise<void> {
    const waiting = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#rows = 0;
    if (waiting.length === 0) return;
    this.#isFailed = true;
    const keyed = waiting.map((one) => ({ ...one, key: hash64(`${one.capture.id} ${randomUUID()}`) }));
    await this.fleet.add([
      ...(await dictionaryRows(this.fleet, waiting)),
      ['samples', keyed.flatMap(({ key, rows }) => rows.samples.map((one) => sampleRow(key, one)))],
      ['totals', keyed.flatMap(({ key, rows }) => rows.totals.map((one) => totalRow(key, one)))],
      ['captures', keyed.map(({ key, capture }) => captureRow(key, capture))],
    ]);
    this.#isFailed = false;
  }
}

/** Returns the stacks and functions that the fleet lacks, each once. */
async function dictionaryRows(
  fleet: FleetStore,
  waiting: readonly { readonly rows: CaptureRows }[],
): Promise<[TableRows, TableRows]> {
  const lacking = async <T extends { readonly id: bigint }>(
    column: 'stack' | 'frame',
    of: (rows: CaptureRows) => readonly T[],
  ): Promise<T[]> => {
    const byId = new Map(waiting.flatMap(({ rows }) => of(rows)).map((one) => [one.id, one]));
    for (const id of await knownIds(fleet, column, [...byId.keys()])) byId.delete(id);
    return [...byId.values()];
  };
  const stacks = await lacking('stack', (rows) => rows.stacks);
  const frames = await lacking('frame', (rows) => rows.frames);
  return [
    ['frames', frames.map(({ id, func, module, file, line, kind }) => [id, func, module, file, BigInt(line), kind])],
    ['stacks', stacks.map(({ id, frames: path }) => [id, path])],
  ];
}

/** Returns those of the ids that the table of the column has. */
async function knownIds(fleet: FleetStore, column: 'stack' | 'frame', ids: readonly bigint[]): Promise<bigint[]> {
  if (ids.length === 0) return [];
  const found = await fleet.query(
    `SELECT d.${column} AS id FROM ${column}s AS d WHERE d.${column} IN (SELECT unnest($1))`,
    [ids],
  );
  return found.map((row) => row['id'] as bigint);
}

const sampleRow = (key: bigint, { type, unit, thread, stack, weight, samples }: FleetSample): FleetValue[] => [
  key,
  type,
  unit,
  thread,
  stack,
  weight,
  BigInt(Math.round(samples)),
];

const totalRow = (key: bigint, { type, unit, weight, samples, period }: FleetTotal): FleetValue[] => [
  key,
  type,
  unit,
  weight,
  BigInt(Math.round(samples)),
  period,
];

const captureRow = (key: bigint, capture: FleetCapture): FleetValue[] => [
  key,
  capture.id,
  capture.name,
  capture.time,
  capture.host,
  capture.service,
  capture.release,
  capture.commit,
  capture.labels,
  capture.event,
  capture.unit,
  capture.format,
  capture.program,
  capture.buildId,
  capture.kernel,
  capture.cpus,
  capture.rateHz,
  capture.seconds,
  capture.isSpan,
  capture.cpuSeconds,
  capture.requests,
  capture.quality,
];
