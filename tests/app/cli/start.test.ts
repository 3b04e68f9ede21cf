import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../scripts/run-command.ts';

/** A checkout in miniature, whose command says where it was loaded from. */
let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(path.join(tmpdir(), 'flamebench-start-'));
  for (const folder of ['app/cli', 'dist/cli']) mkdirSync(path.join(checkout, folder), { recursive: true });
  cpSync(path.join(root, 'app/cli/flamebench.mjs'), path.join(checkout, 'app/cli/flamebench.mjs'));
  writeFileSync(path.join(checkout, 'app/cli/main.ts'), "export const main = (): void => console.log('sources');\n");
  writeFileSync(path.join(checkout, 'dist/cli/main.mjs'), "export const main = () => console.log('bundle');\n");
  writeFileSync(path.join(checkout, 'dist/cli/record.mjs'), "export const main = () => console.log('record');\n");
  const { size, mtimeMs } = statSync(path.join(checkout, 'app/cli/main.ts'));
  writeInputs([['app/cli/main.ts', size, mtimeMs]]);
});
afterEach(() => {
  rmSync(checkout, { recursive: true, force: true });
});

function writeInputs(inputs: unknown): void {
  for (const bundle of ['main', 'record']) {
    writeFileSync(path.join(checkout, `dist/cli/${bundle}.inputs.json`), JSON.stringify(inputs));
  }
}
const start = (...argv: string[]): string =>
  execFileSync(process.execPath, [path.join(checkout, 'app/cli/flamebench.mjs'), ...argv], { encoding: 'utf8' }).trim();

test('the command runs from the bundle if it was made from the present files', () => {
  expect(start()).toBe('bundle');
  expect(start('top', 'record')).toBe('bundle');
  expect(start('record', 'perf')).toBe('record');
});

test('the command runs from its sources if one of them changed or is gone, or without a valid bundle', () => {
  utimesSync(path.join(checkout, 'app/cli/main.ts'), 1, 1);
  expect(start()).toBe('sources');
  expect(start('record')).toBe('sources');
  const { size, mtimeMs } = statSync(path.join(checkout, 'app/cli/main.ts'));
  writeInputs([
    ['app/cli/main.ts', size, mtimeMs],
    ['app/gone.ts', 1, 1],
  ]);
  expect(start()).toBe('sources');
  for (const inputs of [null, {}, [null], 'text']) {
    writeInputs(inputs);
    expect(start(), JSON.stringify(inputs)).toBe('sources');
  }
  rmSync(path.join(checkout, 'dist'), { recursive: true });
  expect(start()).toBe('sources');
});

test('the home folder of a user who has none is not made', () => {
  const { XDG_CACHE_HOME: _, NODE_COMPILE_CACHE: __, ...env } = process.env;
  const home = path.join(checkout, 'nobody');
  const command = path.join(checkout, 'app/cli/flamebench.mjs');
  execFileSync(process.execPath, [command], { env: { ...env, HOME: home } });
  expect(existsSync(home)).toBe(false);
});

test('a package, which has no sources, runs its own bundle', () => {
  mkdirSync(path.join(checkout, 'dist/package'));
  for (const name of ['main', 'record']) {
    const text = `export const main = () => console.log('packed ${name}');\n`;
    writeFileSync(path.join(checkout, `dist/package/${name}.mjs`), text);
  }
  rmSync(path.join(checkout, 'app/cli/main.ts'));
  expect(start('top')).toBe('packed main');
  expect(start('record')).toBe('packed record');
});
