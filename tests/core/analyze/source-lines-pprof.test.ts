import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { sourceLines } from '#core/analyze/tables/source-lines.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { readCorpus } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';

/**
 * Reads `function file:line` → `flat cum` of every node from the output of `go tool pprof -lines -top` (Go 1.26), in
 * the profile's unit.
 */
function pprofLines(name: string): Map<string, string> {
  const text = readFileSync(join(import.meta.dirname, `../../golden/pprof-lines/${name}.txt`), 'utf8');
  const row =
    /^\s*(-?[\d.]+)(?:ns|B)?\s+\S+%\s+\S+%\s+(-?[\d.]+)(?:ns|B)?\s+\S+%\s+(.*?)(?: \((?:partial-)?inline\))?$/gm;
  return new Map([...text.matchAll(row)].map(([, flat, cum, line]) => [line!, `${flat!} ${cum!}`]));
}

function ownLines(profile: Profile): Map<string, string> {
  const { strings, functions } = profile;
  const selection = wholeProfile(profile);
  const sums = new Map<string, [self: number, total: number]>();
  for (const func of functionStats(buildStackView(profile, selection)).func) {
    const lines = sourceLines(profile, selection, null, func as FunctionIndex);
    for (let row = 0; row < lines.length; row++) {
      const file = strings[lines.file[row]!]!;
      const name = strings[functions.name[func]!]!;
      const key = file === '' ? name : `${name} ${file}:${lines.line[row]!}`;
      const [self, total] = sums.get(key) ?? [0, 0];
      sums.set(key, [self + lines.self[row]!, total + lines.total[row]!]);
    }
  }
  return new Map([...sums].map(([key, [self, total]]) => [key, `${self} ${total}`]));
}

needing(corpus, () => {
  test.each(['go.cpu.pb.gz', 'fgprof.pb.gz', 'go.heap.pb.gz'])(
    'gives every line of %s the weight of go tool pprof',
    async (name) => {
      const profile = await importProfile(byteSource(readCorpus(`pprof/${name}`), name));
      const theirs = pprofLines(name);
      expect(theirs.size).toBeGreaterThan(20);
      expect(ownLines(profile)).toEqual(theirs);
    },
  );
});
