import { posix } from 'node:path';
import type { PythonOptions } from '#core/contract/python.ts';
import type { Check, ProcessRow } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import { resolvedPath } from '../target/resolved-path.ts';
import { printedBy, runToEnd } from '../target/run-to-end.ts';
import { parseFields } from '../target/proc-files.ts';
import type { Target } from '../target/target.ts';
import { normalTargetPath } from '../target/target-words.ts';
import { explainFailure } from './messages.ts';
import { PY_SPY_ENVIRONMENT } from './plan.ts';

export interface PySpy {
  /** Absolute path. */
  readonly path: string;
  /** `0.4.3`; null if it does not print it. */
  readonly version: string | null;
}

const OR_SENT = '; or let it be sent for the recording: --send-py-spy';
const INSTALL = `run there: pipx install py-spy${OR_SENT}`;

/** Looks on the search path, and where pip and pipx put a user's programs. Returns null if it is not installed. */
export async function findPySpy(target: Target): Promise<PySpy | null> {
  const path = (await target.findExecutable('py-spy')) ?? (await findInHome(target));
  if (path === null) return null;
  const said = await printedBy(target, [path, '--version'], { env: PY_SPY_ENVIRONMENT });
  return { path, version: /\b(\d+\.\d+\.\d+)/.exec(said)?.[1] ?? null };
}

async function findInHome(target: Target): Promise<string | null> {
  const home = normalTargetPath(await printedBy(target, ['/bin/sh', '-c', 'printf %s "$HOME"']));
  return home === null ? null : target.findExecutable(posix.join(home, '.local/bin/py-spy'));
}

export function judgePySpy(found: PySpy | null): Check {
  const id = 'py-spy';
  if (found === null) return checkOf(id, 'failed', 'py-spy is not installed', INSTALL);
  const { path, version } = found;
  if (version === null) return checkOf(id, 'failed', `${path} does not print a version`, INSTALL);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 0 && minor < 4)
    return checkOf(id, 'failed', `py-spy ${version} is too old`, `run there: pipx upgrade py-spy${OR_SENT}`);
  return checkOf(id, 'ok', `py-spy ${version}`);
}

/** What decides whether a process may be read, see ptrace(2). */
export interface PtraceFacts {
  /** The three user IDs of this user's commands, and of the process. */
  readonly ownUids: string;
  readonly processUids: string;
  /** CAP_SYS_PTRACE in effect. */
  readonly isCapable: boolean;
  /** kernel.yama.ptrace_scope; 0 without Yama. */
  readonly yamaScope: number;
}

/** CAP_SYS_PTRACE, capabilities(7). */
const SYS_PTRACE = 1n << 19n;

/** Returns null if one can't be read. */
export async function readPtraceFacts(target: Target, pid: number): Promise<PtraceFacts | null> {
  const paths = ['/proc/self/status', `/proc/${pid}/status`, '/proc/sys/kernel/yama/ptrace_scope'];
  const files = await target.readRanges(paths.map((path) => ({ path, offset: 0, length: 4096 })));
  const [own, process, yama] = files.map((bytes) => (bytes === null ? null : new TextDecoder().decode(bytes)));
  const fieldsOf = (text: string | null | undefined) => parseFields(text ?? '');
  const uidsOf = (text: string | null | undefined): string =>
    (fieldsOf(text).get('Uid') ?? '').split(/\s+/, 3).join(' ');
  const capable = /^[0-9a-f]{1,16}$/.exec(fieldsOf(own).get('CapEff') ?? '')?.[0];
  if (uidsOf(own) === '' || uidsOf(process) === '' || capable === undefined) return null;
  return {
    ownUids: uidsOf(own),
    processUids: uidsOf(process),
    isCapable: (BigInt(`0x${capable}`) & SYS_PTRACE) !== 0n,
    yamaScope: Number(yama ?? 0),
  };
}

/** Judges by the rules of ptrace(2). Pure. `user` is the process's. */
export function judgePtrace(
  facts: PtraceFacts,
  { pid, user }: Pick<ProcessRow, 'pid' | 'user'>,
  asRoot: string,
): Check {
  const id = 'permission';
  const { ownUids, processUids, isCapable, yamaScope } = facts;
  if (yamaScope >= 3)
    return checkOf(id, 'failed', 'kernel.yama.ptrace_scope is 3: no process may read another', 'record it with perf');
  if (isCapable) return checkOf(id, 'ok', 'py-spy may read every process');
  const isSame = ownUids === processUids;
  if ((!isSame || yamaScope > 0) && ownUids.startsWith('0 '))
    return checkOf(
      id,
      'failed',
      'root lacks CAP_SYS_PTRACE here, as in a container',
      'start the container with --cap-add SYS_PTRACE, or record on its host',
    );
  if (!isSame) return checkOf(id, 'failed', `process ${pid} belongs to ${user}, so py-spy may not read it`, asRoot);
  if (yamaScope > 0)
    return checkOf(
      id,
      'failed',
      `kernel.yama.ptrace_scope is ${yamaScope}: only root may read another process`,
      `${asRoot}, or run there: sudo sysctl kernel.yama.ptrace_scope=0`,
    );
  return checkOf(id, 'ok', `py-spy may read processes of ${user}`);
}

/** The way in which py-spy may read the process. */
interface Access {
  readonly sudo: readonly string[] | null;
  readonly check: Check;
}

export async function checkAccess(
  target: Target,
  process: ProcessRow,
  { asRoot }: Pick<PythonOptions, 'asRoot'>,
  path: string | null,
): Promise<Access> {
  const id = 'permission';
  const facts = await readPtraceFacts(target, process.pid);
  const byRoot = target.root === undefined ? 'run flamebench as root' : 'record as root: --sudo, or connect as root';
  const check: Check =
    facts === null
      ? checkOf(id, 'unknown', '/proc does not say whether py-spy may read the process')
      : judgePtrace(facts, process, byRoot);
  if (check.status !== 'failed' || asRoot !== true || target.root === undefined || facts?.ownUids.startsWith('0 '))
    return { sudo: null, check };
  const sudo = await target.root.sudoArgv();
  if (sudo === null)
    return { sudo, check: { ...check, found: 'there is no sudo', remedy: 'connect as root, or install sudo' } };
  const owned = path === null ? null : await othersFile(target, path);
  if (owned !== null) {
    const found = `${owned} does not belong to root, so it is not run with sudo`;
    const remedy = 'install py-spy for all: sudo pip install py-spy; or let it be sent: --send-py-spy';
    return { sudo: null, check: { ...check, id: 'owner', found, remedy } };
  }
  const found = 'py-spy runs as root, with sudo, which may ask for a password in the terminal';
  return { sudo, check: checkOf(id, 'ok', found) };
}

/**
 * Returns the program, what it is a link to, or a folder above either that a user other than root owns; null if there
 * is none.
 */
async function othersFile(target: Target, path: string): Promise<string | null> {
  const real = await resolvedPath(target, path);
  if (real === null) return path;
  const above = (at: string): string[] => (at === '/' ? [at] : [at, ...above(posix.dirname(at))]);
  for (const at of new Set([...above(path), ...above(real)])) {
    if ((await target.stat(at))?.uid !== 0) return at;
  }
  return null;
}

/** Returns null if py-spy can unwind the native code of a process, for which it needs the thread IDs that it sees. */
export async function refuseNative(target: Target, pid: number): Promise<Check | null> {
  const [own, other] = await target.readLinks(['/proc/self/ns/pid', `/proc/${pid}/ns/pid`]);
  if (typeof own !== 'string' || typeof other !== 'string' || own === other) return null;
  const found = `process ${pid} has its own process IDs, as in a container, so py-spy can’t unwind its native code`;
  return checkOf('native', 'failed', found, 'record it without --native, or in the container');
}

/** Reads the process once, without a pause. */
export async function tryPySpy(target: Target, path: string, pid: number): Promise<Check> {
  const id = 'process';
  const argv = [path, 'dump', '--nonblocking', '--pid', String(pid)];
  const said = await runToEnd(target, argv, { env: PY_SPY_ENVIRONMENT }).catch(() => null);
  if (said === null) return checkOf(id, 'unknown', 'py-spy can’t be started');
  const version = /^Python v(\d[\w.+]{0,30})/m.exec(new TextDecoder().decode(said.stdout))?.[1];
  if (said.exit.code === 0 && version !== undefined) return checkOf(id, 'ok', `Python ${version}`);
  const { message, remedy } = explainFailure(said.stderr, pid, said.exit.code);
  return checkOf(id, 'failed', message, remedy);
}
