import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const script = path.join(root, 'scripts/new-importer.ts');

test('a new importer reads its fixture, and is not written twice', () => {
  const checkout = mkdtempSync(path.join(tmpdir(), 'new-importer-'));
  onTestFinished(() => rmSync(checkout, { recursive: true }));
  cpSync(path.join(root, 'core'), path.join(checkout, 'core'), { recursive: true });
  copyFileSync(path.join(root, 'package.json'), path.join(checkout, 'package.json'));
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
  const node = (...words: string[]): string =>
    execFileSync(process.execPath, words, { cwd: checkout, stdio: 'pipe' }).toString();

  expect(node(script, 'my-format')).toContain('tests/core/import/my-format/my-format.test.ts');
  const read = `
    import { readFileSync } from 'node:fs';
    import { importProfile } from './core/import/import-profile.ts';
    const bytes = readFileSync('tests/fixtures/import/my-format/small.my-format');
    const source = { fileName: 'input', size: bytes.length, async *chunks() { yield bytes; } };
    const { metadata, samples } = await importProfile(source);
    console.log(metadata.format, samples.length);`;
  expect(node('--input-type=module', '--eval', read)).toBe('my-format 2\n');
  expect(() => node(script, 'my-format')).toThrow(/core\/import\/my-format exists/);
  expect(() => node(script, '../evil')).toThrow(/usage/);
});
