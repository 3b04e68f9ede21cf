import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { missingComponents } from '../../../../scripts/components.mjs';
import { byteSource } from '../../../support/byte-source.ts';
import { needing } from '../../../support/needing.ts';

const SAMPLES = 'heap profile: 3: 48 [3: 48] @ heapprofile\n1: 16 [1: 16] @ 0x401301 0x401101\n';
const MORE = '2: 32 [2: 32] @ 0x401051 0x401101\n';
const MAPS = '\nMAPPED_LIBRARIES:\n00400000-00402000 r-xp 00000000 fe:01 1531        /srv/app/server\n';
const NAMES = '0x401301: app::Cache::put\n0x401101: main\n';
const CREATOR = 'creator: 0x401101 0x401051\n';

/** Old heap texts with lines that are neither samples nor mappings. */
const TEXTS: Readonly<Record<string, string>> = {
  'plain samples': SAMPLES + MORE + MAPS,
  'creator: between samples': SAMPLES + CREATOR + MORE + MAPS,
  'creator: after the last sample': SAMPLES + MORE + CREATOR + MAPS,
  'names of addresses between samples': SAMPLES + NAMES + MORE + MAPS,
  'creator: and names of addresses below the mappings': SAMPLES + MORE + MAPS + CREATOR + NAMES,
  'names of addresses above the samples': `--- symbol\nbinary=/srv/app/server\n${NAMES}---\n--- heap\n${SAMPLES}${MORE}`,
};

/** Objects, bytes and addresses of each sample; null if the text is refused. */
type Read = readonly string[] | null;

async function ours(text: string): Promise<Read> {
  try {
    const profile = await importProfile(byteSource(text));
    const { stacks, frames, samples } = profile;
    const [objects, bytes] = [0, 1].map((type) => sampleWeights(profile, type as ValueTypeIndex));
    return Array.from(samples.stack, (leaf, row) => {
      const addresses: string[] = [];
      for (let stack = leaf; stack >= 0; stack = stacks.parent[stack]!)
        addresses.push(`0x${frames.address![stacks.frame[stack]!]!.toString(16)}`);
      return `${objects![row]} ${bytes![row]} ${addresses.join(' ')}`;
    });
  } catch {
    return null;
  }
}

function pprofs(file: string): Read {
  const { status, stdout } = spawnSync('go', ['tool', 'pprof', '-raw', file], { encoding: 'utf8' });
  if (status !== 0) return null;
  const [, samples = '', locations = ''] = /^Samples:\n.*\n([^]*)^Locations\n([^]*)^Mappings/m.exec(stdout) ?? [];
  const addresses = new Map(Array.from(locations.matchAll(/^ *(\d+): (0x[0-9a-f]+)/gm), ([, id, at]) => [id!, at!]));
  return Array.from(samples.matchAll(/^ *(\d+) +(\d+): ([\d ]+?) *$/gm), ([, objects, bytes, ids]) => {
    const stack = ids!.split(' ').map((id) => addresses.get(id));
    return `${objects} ${bytes} ${stack.join(' ')}`;
  });
}

needing({ name: 'go', present: () => missingComponents(['go']).length === 0 }, () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'flamebench-heap-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(TEXTS))('%s: is read or refused like by go tool pprof', async (name, text) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.heap`);
    writeFileSync(file, text);
    expect(await ours(text)).toEqual(pprofs(file));
  });
});

it('counts the lines below the mappings that have no meaning', async () => {
  const { diagnostics } = await importProfile(byteSource(SAMPLES + MAPS + CREATOR + NAMES));
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'skipped-line', count: 3, first: { line: 6 } }));
});
