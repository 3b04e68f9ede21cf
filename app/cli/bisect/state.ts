import * as z from 'zod';
import { usageError } from '../errors.ts';
import { readState, writeState } from '../output/state-file.ts';

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
  /** Builds that are kept in the cache: the name of their folder, and the commits whose build is complete. */
  builds: z.object({ id: z.string().regex(/^[0-9a-f]{16}$/), complete: z.array(z.string()) }).exactOptional(),
});
export type BisectState = z.infer<typeof stateSchema>;

const STATE = { schema: stateSchema, of: 'a bisection', maxBytes: 16 * 1024 * 1024 };

/** Reads what an interrupted bisection has found. The state is empty if there is no file, or `path` is null. */
export function readBisectState(path: string | null, subject: string): BisectState {
  const read = path === null ? null : readState(path, STATE);
  if (read === null) return { schemaVersion: 1, subject, tested: [], skipped: [] };
  if (read.subject === subject) return read;
  throw usageError(
    `--state ${path} is of another bisection`,
    'give the same commits, build, command and function, or another file',
  );
}

export function writeBisectState(path: string | null, state: BisectState): void {
  if (path !== null) writeState(path, state);
}
