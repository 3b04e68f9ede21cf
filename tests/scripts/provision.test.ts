import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/run-command.ts';

/** A PATH that contains only what a test puts there, so perf is missing. */
let bin: string;
beforeEach(() => {
  bin = mkdtempSync(path.join(tmpdir(), 'flamebench-provision-'));
  for (const name of ['env', 'cat']) symlinkSync(path.join('/usr/bin', name), path.join(bin, name));
});
afterEach(() => {
  rmSync(bin, { recursive: true });
});

function stub(name: string, script: string): void {
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(bin, name), 0o755);
}

function provision(ids: string[], elevate: string[] | null): { stdout: string; missing: string[] } {
  const source = [
    `import { provision } from ${JSON.stringify(path.join(root, 'scripts/provision.mjs'))};`,
    `const still = provision(${JSON.stringify(ids)}, ${JSON.stringify(elevate)});`,
    'process.stderr.write(JSON.stringify(still.map(({ id }) => id)));',
  ].join('\n');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    env: { PATH: bin },
  });
  const missing: unknown = JSON.parse(stderr);
  return { stdout, missing: Array.isArray(missing) ? missing.map(String) : [] };
}

const log = (): string[] => readFileSync(path.join(bin, 'log'), 'utf8').trim().split('\n');

describe('provision', () => {
  it('prints and does nothing if nothing is missing', () => {
    stub('perf', 'true');
    stub('apt-get', `echo "$@" >> ${bin}/log`);
    expect(provision(['perf'], [])).toEqual({ stdout: '', missing: [] });
    expect(log).toThrow(/ENOENT/);
  });

  it('installs what is missing if it may', () => {
    stub('apt-cache', '[ "$2" = linux-perf ] && echo "Package: linux-perf"');
    stub(
      'apt-get',
      `echo "$DEBIAN_FRONTEND $@" >> ${bin}/log; echo '#!/bin/sh' > ${bin}/perf; /bin/chmod 755 ${bin}/perf`,
    );
    const { stdout, missing } = provision(['perf'], []);
    expect(missing).toEqual([]);
    expect(stdout).toBe('provision: installing perf (records profiles)\n');
    expect(log()).toEqual([
      expect.stringMatching(/^noninteractive .* -y update$/),
      expect.stringMatching(/^noninteractive .* -y install --no-install-recommends linux-perf$/),
    ]);
  });

  it('prints the command to run if it may not', () => {
    stub('apt-get', `echo "$@" >> ${bin}/log`);
    stub('apt-cache', '[ "$2" = libgtk-3-0 ] || [ "$2" = linux-perf ] && echo "Package: $2"');
    const { stdout, missing } = provision(['perf'], null);
    expect(missing).toEqual(['perf']);
    expect(stdout).toBe('provision: missing: perf (records profiles). To install: sudo apt-get install linux-perf\n');
    expect(log).toThrow(/ENOENT/);
  });

  it('reports in one line that the package archive could not be reached', () => {
    stub('apt-cache', 'true');
    stub('apt-get', 'echo "E: Failed to fetch http://archive.invalid/dists: Could not resolve host" >&2; exit 100');
    const { stdout, missing } = provision(['perf'], []);
    expect(missing).toEqual(['perf']);
    expect(stdout.split('\n')).toEqual([
      'provision: installing perf (records profiles)',
      expect.stringMatching(/^provision: still missing: perf \(E: Failed to fetch .*\)\. To install: apt-get install /),
      '',
    ]);
  });

  it('names what is missing on a system without apt', () => {
    const { stdout } = provision(['perf', 'xvfb'], []);
    expect(stdout).toBe(
      "provision: missing: perf (records profiles), xvfb (gives Electron a display in its test). Install them with your system's package manager.\n",
    );
  });
});

describe('sudo', () => {
  /** Runs as a user whose sudo needs no password and records that it was called. */
  function elevate(env: Record<string, string>, uid = 1000): { words: unknown; called: boolean } {
    stub('sudo', `echo called >> ${bin}/log`);
    const source = [
      `import { elevation } from ${JSON.stringify(path.join(root, 'scripts/provision.mjs'))};`,
      `process.stdout.write(JSON.stringify(elevation(${JSON.stringify(env)}, ${uid})));`,
    ].join('\n');
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      encoding: 'utf8',
      env: { PATH: bin },
    });
    return { words: JSON.parse(stdout), called: existsSync(path.join(bin, 'log')) };
  }

  it.each([
    {},
    { CI: '' },
    { CI: 'false' },
    { CI: '1' },
    { FLAMEBENCH_PROVISION: '' },
    { FLAMEBENCH_PROVISION: 'yes' },
  ])('is neither used nor tried with %j', (env) => {
    expect(elevate(env)).toEqual({ words: null, called: false });
  });

  it.each([{ CI: 'true' }, { FLAMEBENCH_PROVISION: 'sudo' }])('is used with %j', (env) => {
    expect(elevate(env)).toEqual({ words: [path.join(bin, 'sudo'), '-n'], called: true });
  });

  it('is not needed by root', () => {
    expect(elevate({}, 0)).toEqual({ words: [], called: false });
  });
});

describe('npm test', () => {
  it('refuses an unknown step', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(root, 'scripts/test.ts'), '--only', 'lint,nope'],
      {
        encoding: 'utf8',
      },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^npm test: no step is named nope\nusage: /);
  });

  it('ends with one line of counts, and fails if a step could not run', () => {
    stub('node', `exec ${process.execPath} "$@"`);
    const { status, stdout } = spawnSync(
      process.execPath,
      [path.join(root, 'scripts/test.ts'), '--only', 'links,electron'],
      {
        encoding: 'utf8',
        env: { PATH: bin },
      },
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/electron: not run: missing [a-z, -]*xvfb/);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => /^\d+ passed, \d+ failed$/.test(line))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed$/);
  });
});
