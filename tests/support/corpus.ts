import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Real profiles with what reference tools say of them. Not part of a clone: beside it, or absent. */
const FOLDER = join(import.meta.dirname, '../../../shared/corpus');

export interface CorpusRow {
  /** Relative to the corpus: `pprof/fib.pb.gz`. */
  readonly path: string;
  readonly format: string;
  readonly expectedPaths: readonly string[];
  readonly tests: string;
  readonly notes: string;
}

/** True where the corpus is there. Where it isn't: throws if CI is set, else says so once per test file and is false. */
export function hasCorpus(): boolean {
  if (existsSync(join(FOLDER, 'MANIFEST.tsv'))) return true;
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') {
    throw new Error('the corpus is absent (../shared/corpus), and CI is set');
  }
  console.warn("The corpus is absent (../shared/corpus); only the project's own fixtures are tested.");
  return false;
}

/** The inputs of these formats; empty where there is no corpus. */
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

/** For commands that are given files. */
export const corpusPath = (path: string): string => join(FOLDER, path);

export function readCorpus(path: string): Uint8Array {
  return readFileSync(corpusPath(path));
}

/** What a reference tool says of `row`: the expected file of that kind (`pprof.json`, `selftotal.tsv`), unpacked; null where there is none. */
export function readExpected(row: CorpusRow, kind: string): string | null {
  const name = row.path.slice(row.path.lastIndexOf('/') + 1);
  const path = row.expectedPaths.find(
    (expected) => expected.replace(/\.gz$/, '').endsWith(`/${name}.${kind}`) || expected.endsWith(`/${name}.${kind}`),
  );
  if (path === undefined) return null;
  const bytes = readFileSync(join(FOLDER, path));
  return (path.endsWith(`${kind}.gz`) ? gunzipSync(bytes) : bytes).toString('utf8');
}
