import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusPath, readCorpus } from '../../../support/corpus.ts';
import { corpus, needing } from '../../../support/needing.ts';
import { callCli } from '../../../support/call-cli.ts';

const GOLDEN = join(import.meta.dirname, '../../../golden/pprof-diff');

async function folded(name: string, ...options: string[]): Promise<string[]> {
  const path = corpusPath(`diff-folded/${name}`);
  const { code, stdout, stderr } = await callCli(['diff', path, `${path}.AFTER`, '--to', 'folded', ...options]);
  expect(code, stderr).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('# '))
    .sort();
}

const expected = (name: string): string[] =>
  new TextDecoder()
    .decode(readCorpus(`diff-folded/expected/${name}.txt`))
    .trimEnd()
    .split('\n')
    .sort();

/** inferno always writes integers, difffolded.pl when it normalises. */
const wholeNumbers = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/(?<= \d+)\.\d+(?= |$)/g, ''));

needing(corpus, () => {
  describe.each(['before.txt', 'before_fractionals.txt'])('--to folded of %s equals', (name) => {
    test('difffolded.pl and inferno-diff-folded, line by line', async () => {
      const lines = await folded(name);
      expect(lines).toEqual(expected(`${name}.difffolded.default`));
      expect(wholeNumbers(lines)).toEqual(expected(`${name}.inferno-diff.default`));
    });

    test('without addresses (-x of inferno, -s of difffolded.pl)', async () => {
      const lines = await folded(name, '--rules', 'addresses');
      expect(lines).toEqual(expected(`${name}.difffolded.strip_hex`));
      expect(wholeNumbers(lines)).toEqual(expected(`${name}.inferno-diff.strip_hex`));
    });

    test('normalised (-n), except for the fractions that they cut off', async () => {
      const lines = await folded(name, '--normalize', 'share');
      for (const tool of name === 'before.txt' ? ['difffolded', 'inferno-diff'] : ['difffolded']) {
        expect(wholeNumbers(lines)).toEqual(expected(`${name}.${tool}.normalize`));
      }
    });
  });
});

interface PprofRow {
  readonly flat: number;
  readonly cum: number;
  /** Relative to the total before, without a sign. */
  readonly flatPercent: string;
}

/**
 * Reads the output of `go tool pprof -top -diff_base=BEFORE AFTER` (Go 1.26) with every node, in the unit of the
 * profile.
 */
function pprofDiff(name: string): { total: number; rows: Map<string, PprofRow> } {
  const text = readFileSync(join(GOLDEN, `${name}.txt`), 'utf8');
  const row =
    /^\s*(-?[\d.]+)(?:ns)?\s+([\d.]+)%\s+\S+%\s+(-?[\d.]+)(?:ns)?\s+\S+%\s+(.*?)(?: \((?:partial-)?inline\))?$/gm;
  return {
    total: Number(/of (\d+)(?:ns)? total/.exec(text)![1]),
    rows: new Map(
      [...text.matchAll(row)].map(([, flat, flatPercent, cum, func]) => [
        func!,
        { flat: Number(flat), cum: Number(cum), flatPercent: flatPercent! },
      ]),
    ),
  };
}

interface DiffDocument {
  readonly before: { readonly total: number };
  readonly functions: { readonly name: string; readonly delta: { readonly self: number; readonly total: number } }[];
}

needing(corpus, () => {
  test.each([
    ['fib.pb.gz', 'go.cpu.pb.gz', 'cpu'],
    ['go.cpu.pb.gz', 'fib.pb.gz', 'cpu'],
    ['labels.pb.gz', 'go.cpu.pb.gz', 'cpu'],
    ['profile1.pb.gz', 'go.cpu.pb.gz', 'samples'],
    ['go.heap.pb.gz', 'alloc_objects.pb.gz', 'inuse_objects'],
  ])('flat, cum and their signs of %s and %s (%s) equal pprof -diff_base', async (before, after, type) => {
    const theirs = pprofDiff(`${before}..${after}.${type}`);
    expect(theirs.rows.size).toBeGreaterThan(100);
    const paths = [before, after].map((name) => corpusPath(`pprof/${name}`));
    const options = ['--normalize', 'raw', '--rules', 'none', '--ignore-modules', '--type', type, '--json'];
    const { code, stdout, stderr } = await callCli(['diff', ...paths, ...options]);
    expect(code, stderr).toBe(0);
    const document = JSON.parse(stdout) as DiffDocument;
    expect(document.before.total).toBe(theirs.total);
    const ours = new Map(
      document.functions
        .filter(({ delta }) => delta.self !== 0 || delta.total !== 0)
        .map(({ name, delta }): [string, PprofRow] => [
          name,
          { flat: delta.self, cum: delta.total, flatPercent: percentOf(delta.self, theirs.total) },
        ]),
    );
    const changed = [...theirs.rows].filter(([, { flat, cum }]) => flat !== 0 || cum !== 0);
    expect(ours).toEqual(new Map(changed));
  });
});

/** Formats as pprof's measurement.Percentage does. */
function percentOf(value: number, total: number): string {
  const ratio = Math.abs((value / total) * 100);
  if (ratio >= 99.95 && ratio <= 100.05) return '100';
  return ratio === 0 ? '0' : ratio >= 1 ? ratio.toFixed(2) : String(Number(ratio.toPrecision(2)));
}
