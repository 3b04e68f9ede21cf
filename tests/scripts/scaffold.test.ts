import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Copies `folders` of the checkout to a temporary one, and returns a function that runs Node there. */
function checkoutWith(...folders: string[]): { checkout: string; node: (...words: string[]) => string } {
  const checkout = mkdtempSync(path.join(tmpdir(), 'scaffold-'));
  onTestFinished(() => rmSync(checkout, { recursive: true }));
  for (const folder of folders) cpSync(path.join(root, folder), path.join(checkout, folder), { recursive: true });
  copyFileSync(path.join(root, 'package.json'), path.join(checkout, 'package.json'));
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
  const node = (...words: string[]): string =>
    execFileSync(process.execPath, words, { cwd: checkout, stdio: 'pipe' }).toString();
  return { checkout, node };
}

test('a new importer reads its fixture, and is not written twice', () => {
  const { node } = checkoutWith('core');
  const script = path.join(root, 'scripts/new-importer.ts');
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

test('a new collector compiles with its rows, passes its own test, and is not written twice', () => {
  const { checkout, node } = checkoutWith('core', 'collectors', 'app', 'renderer', 'scripts', 'tests/support');
  const script = path.join(root, 'scripts/new-collector.ts');
  const files = node(script, 'my-tool').split('\n');
  expect(files).toContain('tests/collectors/my-tool/driver.live.test.ts');
  const config = (folder: string, include: readonly string[], from = root): void => {
    const tsconfig = { extends: path.join(from, folder, 'tsconfig.json'), include, exclude: [] };
    writeFileSync(path.join(checkout, folder, 'tsconfig.new.json'), JSON.stringify(tsconfig));
    node('node_modules/typescript/bin/tsc', '-p', path.join(folder, 'tsconfig.new.json'));
  };
  copyFileSync(path.join(root, 'tsconfig.base.json'), path.join(checkout, 'tsconfig.base.json'));
  config('.', ['app/cli/record/collectors.ts', 'collectors/registry.ts', 'tests/collectors/my-tool']);
  config('renderer', ['features/record/collector-pages.ts', 'features/record/record-again.ts'], checkout);
  node('node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--testTimeout=180000', 'tests/collectors/my-tool');
  expect(() => node(script, 'my-tool')).toThrow(/collectors\/my-tool exists/);
});
