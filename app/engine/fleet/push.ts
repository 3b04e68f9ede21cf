import { hash as digest } from 'node:crypto';
import type { CaptureRows, Hash } from '#core/fleet/capture-rows.ts';
import type { FleetCapture } from '#core/fleet/merge-captures.ts';
import type { FleetFile } from './duckdb.ts';

/** The first 64 bits of SHA-256. Never 0, which stands for the empty stack. */
export const hash64: Hash = (text) => BigInt(`0x${digest('sha256', text, 'hex').slice(0, 16)}`) || 1n;

/** A capture that a fleet has already. */
interface KnownCapture {
  readonly name: string;
  readonly host: string | null;
  readonly samples: number;
}

/** Returns the capture with this id; null if it was not pushed before. */
export async function pushedBefore(fleet: FleetFile, id: string): Promise<KnownCapture | null> {
  const [row] = await fleet.query(
    `SELECT c.name AS name, c.host AS host, t.samples AS samples FROM captures AS c
     LEFT JOIN totals AS t ON t.capture = c.capture AND t.type = c.event AND t.unit = c.unit WHERE c.capture = $1`,
    [hash64(id)],
  );
  if (row === undefined) return null;
  return {
    name: String(row['name']),
    host: (row['host'] as string | null) ?? null,
    samples: Number(row['samples'] ?? 0),
  };
}

/** Adds a capture in one transaction: after a crash, all of it is there or nothing. */
export async function pushCapture(fleet: FleetFile, capture: FleetCapture, rows: CaptureRows): Promise<void> {
  const key = hash64(capture.id);
  await fleet.query('BEGIN TRANSACTION');
  try {
    await addDictionary(fleet, rows);
    await fleet.append('samples', (append) => {
      for (const { type, unit, thread, stack, weight, samples } of rows.samples) {
        append([key, type, unit, thread, stack, weight, BigInt(Math.round(samples))]);
      }
    });
    await fleet.append('totals', (append) => {
      for (const { type, unit, weight, samples, period } of rows.totals) {
        append([key, type, unit, weight, BigInt(Math.round(samples)), period]);
      }
    });
    await addCapture(fleet, key, capture);
    await fleet.query('COMMIT');
  } catch (error) {
    await fleet.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Adds the stacks and functions that the fleet lacks. */
async function addDictionary(fleet: FleetFile, { frames, stacks }: CaptureRows): Promise<void> {
  const knownStacks = await knownIds(fleet, 'stack', 'stacks', stacks);
  const knownFrames = await knownIds(fleet, 'frame', 'frames', frames);
  await fleet.append('stacks', (append) => {
    for (const { id, frames: path } of stacks) if (!knownStacks.has(id)) append([id, path]);
  });
  await fleet.append('frames', (append) => {
    for (const { id, func, module, file, line, kind } of frames) {
      if (!knownFrames.has(id)) append([id, func, module, file, BigInt(line), kind]);
    }
  });
}

/** Returns those of the ids that a table has. */
async function knownIds(
  fleet: FleetFile,
  column: 'stack' | 'frame',
  table: 'stacks' | 'frames',
  rows: readonly { readonly id: bigint }[],
): Promise<Set<bigint>> {
  if (rows.length === 0) return new Set();
  const found = await fleet.query(
    `SELECT ${column} AS id FROM ${table} WHERE ${column} IN (SELECT CAST(unnest(string_split($1, ' ')) AS UBIGINT))`,
    [rows.map(({ id }) => id).join(' ')],
  );
  return new Set(found.map((row) => row['id'] as bigint));
}

const addCapture = (fleet: FleetFile, key: bigint, capture: FleetCapture): Promise<void> =>
  fleet.append('captures', (append) => {
    append([
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
    ]);
  });
