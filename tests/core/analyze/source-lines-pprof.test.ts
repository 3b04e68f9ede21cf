import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionStats } from '#core/analyze/function-stats.ts';
import { sourceLines } from '#core/analyze/source-lines.ts';
import { viewStacks, wholeProfile } from '#core/analyze/view-stacks.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { hasCorpus, readCorpus } from '../../support/corpus.ts';

const hasGo = spawnSync('go', ['version']).status === 0;

/** `function file:line` → `flat cum`. */
function pprofLines(bytes: Uint8Array, { valueTypes, metadata }: Profile): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'pprof-lines-'));
  try {
    const file = join(folder, 'profile.pb.gz');
    writeFileSync(file, bytes);
    const { unit } = valueTypes[metadata.defaultValueType]!;
    const all = ['-nodefraction=0', '-edgefraction=0', '-nodecount=1000000'];
    const units = [`-unit=${unit === 'nanoseconds' ? 'ns' : 'B'}`, `-sample_index=${metadata.defaultValueType}`];
    const { stdout } = spawnSync('go', ['tool', 'pprof', '-lines', '-top', ...all, ...units, file], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const row =
      /^\s*(-?[\d.]+)(?:ns|B)?\s+\S+%\s+\S+%\s+(-?[\d.]+)(?:ns|B)?\s+\S+%\s+(.*?)(?: \((?:partial-)?inline\))?$/gm;
    return new Map([...stdout.matchAll(row)].map(([, flat, cum, name]) => [name!, `${flat!} ${cum!}`]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ownLines(profile: Profile): Map<string, string> {
  const { strings, functions } = profile;
  const selection = wholeProfile(profile);
  const sums = new Map<string, [self: number, total: number]>();
  for (const func of functionStats(viewStacks(profile, selection)).func) {
    const lines = sourceLines(profile, selection, [], func as FunctionIndex);
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

test.skipIf(!hasGo || !hasCorpus()).each(['go.cpu.pb.gz', 'fgprof.pb.gz', 'go.heap.pb.gz'])(
  'every line of %s weighs what go tool pprof says',
  async (name) => {
    const bytes = readCorpus(`pprof/${name}`);
    const profile = await importProfile(byteSource(bytes, name));
    const theirs = pprofLines(bytes, profile);
    expect(theirs.size).toBeGreaterThan(20);
    expect(ownLines(profile)).toEqual(theirs);
  },
);
