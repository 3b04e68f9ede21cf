import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { advisePython } from '#collectors/perf/python-advice.ts';
import { createLocalTarget } from '#collectors/target/local.ts';

const target = createLocalTarget();
const folder = mkdtempSync(join(tmpdir(), 'fb-python-advice-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await target.dispose();
});

for (const name of ['python3.11', 'python3.12', 'python3.13', 'python3']) {
  // It fails the test if it runs.
  writeFileSync(join(folder, name), `#!/bin/sh\necho ran >${join(folder, 'ran')}\n`);
  chmodSync(join(folder, name), 0o755);
}
symlinkSync('python3.12', join(folder, 'python'));

const advice = (argv: readonly string[], callGraph: 'fp' | 'dwarf' | 'auto' = 'fp') =>
  advisePython(target, { scope: { kind: 'command', argv: [...argv] }, callGraph });

test.each([
  ['python3.11', /^perf can’t name functions of Python 3\.11: .*record python$/],
  ['python', /is started with -X perf: python3 -X perf …$/],
  ['python3.13', /is started with -X perf_jit: python3 -X perf_jit …$/],
  ['python3', /is started with -X perf \(3\.12 or later\): /],
  ['missing/python3', /3\.12 or later/],
])('advises how %s gets names', async (program, expected) => {
  expect(await advice([join(folder, program), 'app.py'])).toMatch(expected);
});

test('names what a Python that is prepared needs, and nothing for others', async () => {
  const prepared = [join(folder, 'python'), '-X', 'perf', 'app.py'];
  expect(await advice(prepared)).toMatch(/call graph dwarf and 16384 bytes of stack, or auto$/);
  expect(await advice(prepared, 'dwarf')).toBeNull();
  const newer = join(folder, 'python3.13');
  expect(await advice([newer, '-X', 'perf', 'app.py'], 'dwarf')).toMatch(/-X perf_jit has its callers, too$/);
  expect(await advice([newer, '-X', 'perf_jit', 'app.py'], 'dwarf')).toBeNull();
  expect(await advice(['node', 'app.js'])).toBeNull();
  expect(await target.stat(join(folder, 'ran'))).toBeNull();
});
