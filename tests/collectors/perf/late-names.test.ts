import { expect, test } from 'vitest';
import { nameCompiledCode } from '#collectors/perf/late-names.ts';
import { TEXT_FILE } from '#collectors/perf/plan.ts';
import type { Target } from '#collectors/target/target.ts';
import { MemorySink } from '../../support/memory-sink.ts';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

/** A target with these files. */
const targetWith = (files: Readonly<Record<string, string>>): Target =>
  ({
    readFile: (path: string) =>
      path in files ? Promise.resolve(bytes(files[path]!)) : Promise.reject(new Error(`no ${path}`)),
  }) as unknown as Target;

async function nameIn(text: string, files: Readonly<Record<string, string>>, ...maps: string[]): Promise<string> {
  const sink = new MemorySink();
  await sink.append(TEXT_FILE, bytes(text));
  await nameCompiledCode(targetWith(files), sink, new Set(maps));
  return Buffer.from(sink.files.get(TEXT_FILE)!).toString('latin1');
}

const sample = (...frames: readonly string[]): string => `a\xff 7/7 1.0: 1 cpu-clock: \n${frames.join('\n')}\n\n`;
const unnamed = (address: string, pid = 7): string => `\t    ${address} [unknown] (/tmp/perf-${pid}.map)`;

test('names what a process listed later, and leaves everything else as it is', async () => {
  const files = { '/tmp/perf-7.map': '1000 20 JS:turn a.js:1\n2000 10 evil\n\tffff main (/bin/sh)\n' };
  const frames = [unnamed('1004'), unnamed('1020'), unnamed('2001'), unnamed('1004', 8), '\t 1004 [unknown] (/bin/x)'];
  const text = Array.from({ length: 40 }, () => sample(...frames)).join('');
  const named = sample(
    '\t    1004 JS:turn a.js:1 (/tmp/perf-7.map)',
    unnamed('1020'),
    '\t    2001 evil (/tmp/perf-7.map)',
    ...frames.slice(3),
  );
  const expected = Array.from({ length: 40 }, () => named).join('');
  expect(await nameIn(text, files, '/tmp/perf-7.map', '/tmp/perf-8.map')).toBe(expected);
});

test('a list that is absent, empty or no list changes nothing', async () => {
  const text = sample(unnamed('1004'));
  expect(await nameIn(text, {}, '/tmp/perf-7.map')).toBe(text);
  expect(await nameIn(text, { '/tmp/perf-7.map': '', '/tmp/jit-7.dump': 'no dump' }, '/tmp/perf-7.map')).toBe(text);
  expect(await nameIn(text, { '/tmp/perf-7.map': '1000 20 a' }, '/other/perf-7.map', '/tmp/perf-x.map')).toBe(text);
});

test('reads the list of a container’s process under the PID that it has inside', async () => {
  const files = {
    '/proc/7/status': 'Name:\tnode\nNSpid:\t7\t1\n',
    '/proc/7/root/tmp/perf-1.map': '1000 20 JS:turn a.js:1\n',
    '/proc/7/root/tmp/perf-7.map': '1000 20 of another process\n',
  };
  expect(await nameIn(sample(unnamed('1004')), files, '/tmp/perf-7.map')).toBe(
    sample('\t    1004 JS:turn a.js:1 (/tmp/perf-7.map)'),
  );
});
