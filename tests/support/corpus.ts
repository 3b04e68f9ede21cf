import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Folder of real profiles with the results of reference tools. It is not part of a clone and may be absent. */
const FOLDER = join(import.meta.dirname, '../../../shared/corpus');

export interface CorpusRow {
  /** Path relative to the corpus: `pprof/fib.pb.gz`. */
  readonly path: string;
  readonly format: string;
  readonly expectedPaths: readonly string[];
  readonly tests: string;
  readonly notes: string;
}

/**
 * Returns whether the corpus is there. If it is not, throws under CI, and otherwise prints a note once per test file.
 */
export function hasCorpus(): boolean {
  if (existsSync(join(FOLDER, 'MANIFEST.tsv'))) return true;
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') {
    throw new Error('the corpus is absent (../shared/corpus), and CI is set');
  }
  console.warn("The corpus is absent (../shared/corpus); only the project's own fixtures are tested.");
  return false;
}

/** Returns the inputs of these formats; an empty list without a corpus. */
export function corpusRows(...formats: string[]): CorpusRow[] {
  return allCorpusRows().filter(({ format }) => formats.includes(format));
}

export function allCorpusRows(): CorpusRow[] {
  if (!hasCorpus()) return [];
  const lines = readFileSync(join(FOLDER, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [path = '', format = '', , , , , , expected = '', , tests = '', notes = ''] = line.split('\t');
    return { path, format, expectedPaths: expected.split(' ').filter((text) => text !== ''), tests, notes };
  });
}

/** Returns the full path of a corpus file, for commands that take files. */
export const corpusPath = (path: string): string => join(FOLDER, path);

export function readCorpus(path: string): Uint8Array {
  return readFileSync(corpusPath(path));
}

/**
 * Reads the unpacked result of a reference tool for `row`: the expected file of kind `pprof.json`, `selftotal.tsv` and
 * so on. Null if there is none.
 */
export function readExpected(row: CorpusRow, kind: string): string | null {
  const name = row.path.slice(row.path.lastIndexOf('/') + 1);
  const path = row.expectedPaths.find(
    (expected) => expected.replace(/\.gz$/, '').endsWith(`/${name}.${kind}`) || expected.endsWith(`/${name}.${kind}`),
  );
  if (path === undefined) return null;
  const bytes = readFileSync(join(FOLDER, path));
  return (path.endsWith(`${kind}.gz`) ? gunzipSync(bytes) : bytes).toString('utf8');
}
