import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Need } from './needing.ts';

/** py-spy as tests run it, from its wheel; outside the checkout, so that a new clone finds it. */
export const PY_SPY_VERSION = '0.4.3';
const WHEEL = `py_spy-${PY_SPY_VERSION}-py2.py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl`;
const SHA256 = '8a4277225f470d394a85cca0cdd944bef87f0097b6f20150a6dd3ac2e92806b8';

const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'flamebench',
  'py-spy-for-tests',
);

/** The folder of the executable `py-spy`, which {@link pySpy} has fetched. */
export const PY_SPY_FOLDER = path.join(cache, `${PY_SPY_VERSION}-with-wheel`);
export const PY_SPY = path.join(PY_SPY_FOLDER, 'py-spy');
/** The file of PyPI, which {@link pySpy} has fetched, too. */
export const PY_SPY_WHEEL = path.join(PY_SPY_FOLDER, WHEEL);

/** Debian's interpreter. */
export const PYTHON = '/usr/bin/python3';

export const pySpy: Need = {
  name: `py-spy ${PY_SPY_VERSION} for Linux on x86-64, and ${PYTHON}`,
  present: () =>
    process.platform === 'linux' &&
    process.arch === 'x64' &&
    process.getuid?.() === 0 &&
    existsSync(PYTHON) &&
    (existsSync(PY_SPY) || fetched()),
};

function fetched(): boolean {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'fetching-'));
  try {
    const run = (program: string, ...args: string[]): boolean =>
      spawnSync(program, args, { cwd: work, stdio: 'ignore' }).status === 0;
    const wheel = path.join(work, WHEEL);
    const pip = ['-m', 'pip', 'download', '--no-deps', '--only-binary', ':all:', `py-spy==${PY_SPY_VERSION}`];
    if (!run(PYTHON, ...pip) && !run('python3', ...pip)) return false;
    if (createHash('sha256').update(readFileSync(wheel)).digest('hex') !== SHA256) return false;
    if (!run(PYTHON, '-m', 'zipfile', '-e', wheel, 'wheel')) return false;
    const scripts = path.join(work, 'wheel', `py_spy-${PY_SPY_VERSION}.data`, 'scripts');
    chmodSync(path.join(scripts, 'py-spy'), 0o755);
    renameSync(wheel, path.join(scripts, WHEEL));
    renameSync(scripts, PY_SPY_FOLDER);
    return true;
  } catch {
    // The wheel for another platform, or another test file was faster.
    return existsSync(PY_SPY);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Its thread `worker-one` computes in `hot`; the others wait. */
export const HOT_PYTHON = `
import threading, time
def hot(n):
    s = 0
    for i in range(n): s = (s + i * i) % 1000003
    return s
def work():
    while True: hot(100000)
def wait():
    while True: time.sleep(60)
threading.Thread(target=work, name='worker-one', daemon=True).start()
threading.Thread(target=wait, name='idler', daemon=True).start()
print('ready', flush=True)
time.sleep(600)
`;

export const IDLE_PYTHON = `import time\nprint('ready', flush=True)\ntime.sleep(600)\n`;
