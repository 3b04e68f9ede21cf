import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { EXECUTABLE_HEAD_BYTES, guessRuntime } from '#collectors/target/process-details.ts';

test.each([
  ['/usr/bin/node', 'node'],
  ['/usr/lib/jvm/java-17/bin/java', 'jvm'],
  ['/usr/bin/python3.11', 'python'],
  ['/usr/sbin/nginx', 'nginx'],
  ['/usr/sbin/nginx (deleted)', 'nginx'],
  ['/usr/bin/luajit-2.1.0-beta3', 'luajit'],
  ['/usr/bin/nodejs-proxy', null],
  [null, null],
])('the runtime of %s is %s', (executable, runtime) => {
  expect(guessRuntime(executable, null)).toBe(runtime);
});

const head = (path: string): Uint8Array => readFileSync(path).subarray(0, EXECUTABLE_HEAD_BYTES);

test('does not recognise Go without the note of the Go linker', () => {
  expect(guessRuntime('/usr/bin/sleep', head('/usr/bin/sleep'))).toBeNull();
  expect(guessRuntime('/x', new Uint8Array(3))).toBeNull();
});

test('recognises a Go binary by its note', () => {
  // oxlint's type-aware part is written in Go.
  const program = `@oxlint-tsgolint/${process.platform}-${process.arch}/tsgolint`;
  expect(guessRuntime('/srv/app', head(createRequire(import.meta.url).resolve(program)))).toBe('go');
});
