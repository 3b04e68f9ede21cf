import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/** What a step reads that is too dear for each run: see {@link Step.sources}. Patterns of `path.matchesGlob`. */
export type Sources = readonly string[];

/** The last full run of each step that passed, committed. */
const FILE = 'tests/full-run.json';

/** By the step's ID. `date` is that of the run, in UTC. */
const fullRunsSchema = z.record(z.string(), z.object({ date: z.iso.date(), hash: z.string().regex(/^[0-9a-f]{16}$/) }));
type FullRuns = z.infer<typeof fullRunsSchema>;

/**
 * Returns a hash of the names and bytes of a step's sources, the first 16 hexadecimal digits of a SHA-256. Throws if a
 * pattern finds no file.
 */
export function hashOfSources(checkout: string, sources: Sources): string {
  const files = sources.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: checkout }).filter((file) => statSync(path.join(checkout, file)).isFile());
    if (found.length === 0) throw new Error(`${pattern} is not in the checkout`);
    return found;
  });
  const hash = createHash('sha256');
  for (const file of [...new Set(files)].toSorted()) {
    const bytes = readFileSync(path.join(checkout, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

function readFullRuns(checkout: string): FullRuns {
  const file = path.join(checkout, FILE);
  if (!existsSync(file)) return {};
  try {
    return fullRunsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new Error(`${FILE} is damaged; delete it, and the steps that it names run`);
  }
}

/** Returns why a run that is not full leaves the step out: it passed with the same sources. Null if it must run. */
export function notRunReason(checkout: string, id: string, sources: Sources): string | null {
  const last = readFullRuns(checkout)[id];
  if (last === undefined || last.hash !== hashOfSources(checkout, sources)) return null;
  return `unchanged since the full run of ${last.date} (${last.hash}); CI_FULL=1 runs it`;
}

/** Writes that the step passed with sources of this hash; an earlier run with the same ones stays. */
export function writeFullRun(checkout: string, id: string, hash: string, date: Date): void {
  const runs = readFullRuns(checkout);
  if (runs[id]?.hash === hash) return;
  const changed: FullRuns = { ...runs, [id]: { date: date.toISOString().slice(0, 10), hash } };
  const sorted = Object.fromEntries(Object.entries(changed).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(path.join(checkout, FILE), `${JSON.stringify(sorted, null, 2)}\n`);
}
