import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Circumstances } from '#core/contract/capture-facts.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { callCli } from '../../../support/call-cli.ts';

const SAMPLES = fileURLToPath(new URL('../../../../samples/profiles/perf-script', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-circumstances-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const CALM: Circumstances = {
  cpuModel: 'EPYC 7763',
  governor: 'performance',
  turbo: true,
  loadAverage: { start: 0.2, end: 0.6 },
  steal: 0,
  cgroup: { cpus: null, memoryBytes: null },
};

/** Copies a bundled capture with the given circumstances in its document, and returns the path of its file. */
function capture(name: string, side: string, circumstances: unknown): string {
  cpSync(join(SAMPLES, `page-server-${side}-1`), join(folder, name), { recursive: true });
  const path = join(folder, name, 'capture.json');
  const document = JSON.parse(readFileSync(path, 'utf8')) as CaptureDocument;
  writeFileSync(path, JSON.stringify({ ...document, circumstances }));
  return join(folder, name, 'raw.perf-script.txt.gz');
}

describe('diff compares circumstances', () => {
  test('prints a table of those that differ before the verdicts, and includes them in JSON', async () => {
    const before = capture('calm', 'before', CALM);
    const after = capture('busy', 'after', {
      ...CALM,
      governor: 'powersave',
      turbo: null,
      loadAverage: { start: 4, end: 5 },
      cgroup: { cpus: 1.5, memoryBytes: 2 ** 31 },
    });
    const text = await callCli(['diff', before, after]);
    expect([text.code, text.stderr]).toEqual([0, '']);
    const lines = text.stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | ').trim());
    const start = lines.indexOf('environment differences | before | after');
    expect(lines.slice(start + 1, start + 7)).toEqual([
      '| governor | performance | powersave',
      '| load average | 0.40 | 4.50',
      '| CPUs used | 0.48 | 0.36',
      '| cgroup CPU limit | no limit | 1.5 CPUs',
      '| cgroup memory limit | no limit | 2 GiB',
      'environment known for one side only: turbo',
    ]);
    expect(start).toBeLessThan(lines.findIndex((line) => line.includes('function [module]')));

    const json = JSON.parse((await callCli(['diff', before, after, '--json'])).stdout) as {
      circumstances: { id: string; before: string; after: string; status: string }[];
    };
    const row = (id: string) => json.circumstances.find((one) => one.id === id);
    expect(row('governor')).toEqual({ id: 'governor', before: 'performance', after: 'powersave', status: 'differs' });
    expect(row('cpu-model')).toMatchObject({ status: 'same' });
    expect(row('turbo')).toEqual({ id: 'turbo', before: 'on', after: null, status: 'unknown' });
  });

  test('prints one line if none differs, and nothing for files without any', async () => {
    const same = await callCli(['diff', capture('one', 'before', CALM), capture('two', 'before', CALM)]);
    expect(same.stdout).toMatch(/^environment: \d+ properties compared, none differs$/m);
    writeFileSync(join(folder, 'plain.folded'), 'main;a 10\n');
    const plain = await callCli(['diff', join(folder, 'plain.folded'), join(folder, 'plain.folded')]);
    expect(plain.stdout).not.toContain('circumstances');
  });

  test('reads captures of older versions, and files next to a damaged document', async () => {
    const old = capture('old', 'before', undefined);
    expect((await callCli(['diff', old, capture('now', 'after', CALM)])).stdout).toMatch(
      /^environment known for one side only: CPU model, governor, turbo/m,
    );
    // An unreadable document counts as none, so the file is compared without it.
    const damaged = capture('damaged', 'before', { ...CALM, steal: 7 });
    const { code, stdout } = await callCli(['diff', damaged, capture('whole', 'after', CALM)]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^environment known for one side only: .*CPU model/m)]);
  });
});
