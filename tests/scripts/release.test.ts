import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { differingFiles, notReleasable, sign, unusableKey } from '../../scripts/release.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-release-test-'));
const [checkout, keys, built, again] = ['checkout', 'keys', 'built', 'again'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
];
const key = join(keys, 'minisign.key');

beforeAll(() => {
  for (const one of [checkout, keys, built, again]) mkdirSync(one);
  execFileSync('git', ['init', '--quiet', checkout]);
  execFileSync('minisign', ['-G', '-W', '-s', key, '-p', join(keys, 'minisign.pub')], { stdio: 'ignore' });
});
afterAll(() => rmSync(folder, { recursive: true }));

it('is not made of a checkout with changes, or with a key inside it', () => {
  expect(notReleasable(checkout)).toBeNull();
  writeFileSync(join(checkout, 'new.ts'), '');
  expect(notReleasable(checkout)).toContain('1 uncommitted files, the first is new.ts');
  expect(unusableKey(checkout, key)).toBeNull();
  expect(unusableKey(folder, key)).toContain('keep the key outside');
  expect(unusableKey(checkout, join(keys, 'none.key'))).toContain('minisign -G');
});

it('names what differs between two builds', () => {
  for (const [name, one, other] of [
    ['a.tgz', 'same', 'same'],
    ['b.deb', 'one', 'two'],
  ] as const) {
    writeFileSync(join(built, name), one);
    writeFileSync(join(again, name), other);
  }
  writeFileSync(join(again, 'c.zip'), '');
  expect(differingFiles(built, again)).toEqual(['b.deb', 'c.zip']);
});

it('is signed, which minisign confirms until a byte changes', () => {
  const sums = join(built, 'SHA256SUMS');
  writeFileSync(sums, `${'0'.repeat(64)}  a.tgz\n`);
  sign(built, key, 'flamebench 0.1.0');
  const verify = (): number | null =>
    spawnSync('minisign', ['-V', '-q', '-p', join(built, 'minisign.pub'), '-m', sums], { stdio: 'ignore' }).status;
  expect(verify()).toBe(0);
  expect(readFileSync(`${sums}.minisig`, 'utf8')).toContain('trusted comment: flamebench 0.1.0');
  writeFileSync(sums, `${'1'.repeat(64)}  a.tgz\n`);
  expect(verify()).toBe(1);
});
