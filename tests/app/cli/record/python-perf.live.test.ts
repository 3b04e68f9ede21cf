import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { perfPythons } from '../../../support/perf-pythons.ts';
import { runCli } from '../../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'fb-python-perf-'));
afterAll(() => rmSync(folder, { recursive: true }));

const installed = perfPythons();

/** Works for a second, and writes its PID, of which CPython names a file in /tmp. */
const PROGRAM = `import os, sys, time
open(sys.argv[1], 'w').write(str(os.getpid()))
def hot():
    s = 0
    for i in range(20000): s = (s + i * i) % 1000003
def middle(): hot()
end = time.time() + 1
while time.time() < end: middle()`;

// Debian 12 has no package of one.
// oxlint-disable-next-line vitest/no-conditional-tests -- its name says what is left out
if (installed.length === 0) test('left out: no CPython 3.12 or later is installed', () => undefined);

/** Of a stack: `perf` gives its innermost Python function, `perf_jit` also the callers. */
const STACKS = { perf: /py::hot:/, perf_jit: /py::<module>:.*;py::middle:.*;py::hot:/ };

test.each([
  ...installed.map(([name, file]) => [name, 'perf', file] as const),
  ...installed.filter(([name]) => name !== 'python3.12').map(([name, file]) => [name, 'perf_jit', file] as const),
])(
  'perf names the functions of %s with -X %s, by the call graph that the plan picks',
  async (name, option, program) => {
    const [pidFile, out] = [join(folder, `${name}.pid`), join(folder, `${name}-${option}.folded`)];
    const library = join(folder, `${name}-${option}`);
    const options = ['record', 'perf', '--rate', '499', '--library', library, '-o', `${out}.txt`];
    try {
      const recorded = await runCli([...options, '--', program, '-X', option, '-c', PROGRAM, pidFile]);
      expect(recorded, recorded.stderr).toMatchObject({ code: 0 });
      expect(recorded.stderr).not.toContain('perf inject ended');
      expect(globSync(`/tmp/jitted-${readFileSync(pidFile, 'utf8')}-*`)).toEqual([]);
      expect((await runCli(['convert', `${out}.txt`, '-o', out])).code).toBe(0);
    } finally {
      const pid = readFileSync(pidFile, 'utf8');
      for (const file of [`/tmp/perf-${pid}.map`, `/tmp/jit-${pid}.dump`]) rmSync(file, { force: true });
    }
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
    const count = (some: readonly string[]): number =>
      some.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    expect(count(lines)).toBeGreaterThan(0);
    expect(count(lines.filter((line) => STACKS[option].test(line))) / count(lines)).toBeGreaterThan(0.7);
    expect(lines.join('\n')).not.toContain('jitted-');
  },
  180_000,
);
