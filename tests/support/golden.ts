import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

const FOLDER = join(import.meta.dirname, '../golden');

/**
 * Compares `text` with a golden under tests/golden and fails if the golden is missing. Only `npm run bless` writes
 * goldens.
 */
export function expectGolden(path: string, text: string): void {
  const file = join(FOLDER, path);
  if (process.env['FLAMEBENCH_BLESS'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (!existsSync(file))
    throw new Error(`no golden tests/golden/${path}: read what is there to compare, then npm run bless`);
  expect(text).toBe(readFileSync(file, 'utf8'));
}
