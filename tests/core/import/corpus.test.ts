import { describe, expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import type { FailureClass, ImportFailure } from '#core/model/failure.ts';
import { byteSource } from '../../support/byte-source.ts';
import { allCorpusRows, readCorpus, type CorpusRow } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';

/** Importers for each format of the manifest, if their ids differ from it. */
const IMPORTERS_OF: Readonly<Record<string, readonly string[]>> = {
  android: ['simpleperf'],
  'async-profiler-collapsed': ['folded'],
  'diff-folded': ['folded'],
  instruments: ['instruments', 'instruments-trace'],
  other: ['pmcstat', 'safari', 'stackprof'],
  'pyspy-rbspy': ['folded'],
  recursive: ['folded'],
  'xctrace-xml': ['xctrace'],
};

interface Refusal {
  readonly failure: FailureClass;
  readonly message: RegExp;
  /** Null: the message is about the input as a whole. */
  readonly location: ImportFailure['location'];
}

/** Inputs that cannot be read although their format is supported. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  'dtrace/only-header-lines.txt': {
    failure: 'malformed',
    message: /no stack is followed by its count/,
    location: { line: 2 },
  },
  'folded/empty.txt': { failure: 'unrecognized', message: /^the file is empty$/, location: null },
  'macos-sample/end-before-call-graph-end.txt': {
    failure: 'malformed',
    message: /ends within the call graph/,
    location: { line: 34 },
  },
  'macos-sample/odd-indentation.txt': { failure: 'malformed', message: /half a level/, location: { line: 22 } },
  'perf-script/no-events.txt': { failure: 'unrecognized', message: /^the file is empty$/, location: null },
  'vsprof/invalid-number-of-calls.csv': {
    failure: 'malformed',
    message: /^Number of Calls is not a number: 4,718.25$/,
    location: { line: 3 },
  },
  'pprof/empty.pb.gz': { failure: 'unrecognized', message: /zero bytes/, location: null },
};

/** Returns whether the file is legacy pprof, which has a separate importer. */
const isLegacyPprof = ({ path, format }: CorpusRow): boolean =>
  format === 'pprof' && /\.(cpu|heap|thread|contention)$/.test(path) && !path.endsWith('/sample.cpu');

function importersOf(row: CorpusRow): readonly string[] {
  const wanted = isLegacyPprof(row)
    ? ['pprof-legacy']
    : row.format === 'bpftrace-bcc'
      ? [/\.folded\b/.test(row.path) ? 'folded' : 'bpftrace']
      : (IMPORTERS_OF[row.format] ?? [row.format]);
  return wanted.filter((id) => importers.some((importer) => importer.id === id));
}

const rows = allCorpusRows();
const readable = rows.filter((row) => REFUSED[row.path] === undefined && importersOf(row).length > 0);
const unread = rows.filter((row) => REFUSED[row.path] === undefined && importersOf(row).length === 0);
const read = (row: CorpusRow) => importProfile(byteSource(readCorpus(row.path), row.path));

needing(corpus, () => {
  describe('every row of the manifest', () => {
    test.each(readable)('$path is read in its own format', async (row) => {
      expect(importersOf(row)).toContain((await read(row)).metadata.format);
    });

    test.each(Object.entries(REFUSED))('refuses %s', async (path, refusal) => {
      const row = rows.find((each) => each.path === path)!;
      await expect(read(row)).rejects.toMatchObject({
        ...refusal,
        message: expect.stringMatching(refusal.message),
        name: 'ImportFailure',
      });
    });

    test.each(unread)(
      'refuses $path, whose format is not read yet, and does not mistake it for another',
      async (row) => {
        await expect(read(row)).rejects.toMatchObject({ name: 'ImportFailure' });
      },
    );

    test(`${readable.length} are read, ${Object.keys(REFUSED).length} refused, of formats not read yet: ${countByFormat(unread)}`, () => {
      expect(readable.length + Object.keys(REFUSED).length + unread.length).toBe(rows.length);
    });
  });
});

function countByFormat(list: readonly CorpusRow[]): string {
  const counts = new Map<string, number>();
  for (const { format } of list) counts.set(format, (counts.get(format) ?? 0) + 1);
  return [...counts].map(([format, count]) => `${format} ${count}`).join(', ');
}
