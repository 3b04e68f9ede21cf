import { existsSync } from 'node:fs';
import * as z from 'zod';
import { readGivenFile } from '#app/engine/files/read-given-file.ts';
import { inputError, usageError } from '../errors.ts';
import { saveOutput } from '../output/output-file.ts';

const value = z.number().positive();
const stateSchema = z.object({
  schemaVersion: z.literal(1),
  /** What is bisected, as JSON; the file is of no use for anything else. */
  subject: z.string(),
  tested: z.array(
    z.object({
      /** Of the tested commit. */
      hash: z.string(),
      pairs: z.array(z.object({ good: value, tested: value })),
    }),
  ),
  skipped: z.array(z.object({ hash: z.string(), why: z.string() })),
});
export type BisectState = z.infer<typeof stateSchema>;

const MOST_BYTES = 16 * 1024 * 1024;

/** Reads what an interrupted bisection has found; an empty state if there is no file, or none is asked for. */
export function readBisectState(path: string | null, subject: string): BisectState {
  const empty: BisectState = { schemaVersion: 1, subject, tested: [], skipped: [] };
  if (path === null || !existsSync(path)) return empty;
  let json: unknown = null;
  try {
    json = JSON.parse(readGivenFile(path, MOST_BYTES).toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const read = stateSchema.safeParse(json);
  if (!read.success)
    throw inputError(`--state ${path} is not a state of a bisection`, 'name another file, or remove it');
  if (read.data.subject === subject) return read.data;
  throw usageError(
    `--state ${path} is of another bisection`,
    'give the same commits, build, command and function, or another file',
  );
}

export function writeBisectState(path: string | null, state: BisectState): void {
  if (path !== null) saveOutput(path, { inPlaceOf: path }, `${JSON.stringify(state)}\n`);
}
