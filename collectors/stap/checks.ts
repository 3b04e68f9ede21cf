import type { Check } from '#core/contract/schemas.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import { checkOf } from '../check.ts';
import { readScript } from '../read-script.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';
import { readElfFacts } from '../target/elf.ts';
import { printedBy, runToEnd } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';
import { parseKernelRelease, type KernelRelease } from '../target/target-words.ts';
import { checkTracedProcess, refuseProcess, WHOLE_SYSTEM, type TracedProcess } from '../trace-process.ts';
import { isQuotable } from './script.ts';

interface Stap {
  /** Absolute path. */
  readonly path: string;
  /** `4.8`; null if stap does not print it. */
  readonly version: string | null;
}

const STAPRUN_PATHS = ['/usr/bin/staprun', '/usr/local/bin/staprun'];

/**
 * Returns the path of staprun; null if it is not installed. Only root and the group stapusr may run Debian's, so others don't find
 * it as a program, although sudo can run it.
 */
export async function findStaprun(target: Target): Promise<string | null> {
  const path = await target.findExecutable('staprun');
  if (path !== null) return path;
  const files = await Promise.all(STAPRUN_PATHS.map((one) => target.stat(one).catch(() => null)));
  return STAPRUN_PATHS.find((_path, index) => files[index] !== null) ?? null;
}

/** Returns null if stap is not installed. */
export async function findStap(target: Target): Promise<Stap | null> {
  const path = await target.findExecutable('stap');
  if (path === null) return null;
  const said = await runToEnd(target, [path, '-V'], { env: { LC_ALL: 'C' } }).catch(() => null);
  const text = `${new TextDecoder().decode(said?.stdout)}\n${said?.stderr ?? ''}`;
  return { path, version: /\(version (\d+\.\d+)/.exec(text)?.[1] ?? null };
}

/** The way in which staprun may load modules. */
interface Privilege {
  /** Null: sudo is not needed or not available. */
  readonly sudo: readonly string[] | null;
  readonly check: Check;
}

/** Checks whether the target's user may load modules: as root, by the groups of SystemTap, or with sudo. */
export async function checkPrivilege(target: Target, asRoot: boolean): Promise<Privilege> {
  const said = await printedBy(target, ['id', '-Gn'], { env: { LC_ALL: 'C' } });
  const groups = said.trim().split(/\s+/);
  const { privileged } = await readKernelSettings(target);
  if (privileged === true) return { sudo: null, check: checkOf('permission', 'ok', 'staprun runs as root') };
  if (groups.includes('stapusr') && groups.includes('stapdev')) {
    return { sudo: null, check: checkOf('permission', 'ok', 'the user is in the groups stapusr and stapdev') };
  }
  const join = 'run: sudo usermod -aG stapusr,stapdev $USER, and log in again';
  if (!asRoot || target.root === undefined) {
    const also = target.root === undefined ? '' : '; or load the module as root: --sudo';
    return {
      sudo: null,
      check: checkOf(
        'permission',
        'failed',
        'only root and the groups stapusr and stapdev may load modules of SystemTap',
        join + also,
      ),
    };
  }
  const sudo = await target.root.sudoArgv();
  return sudo === null
    ? { sudo, check: checkOf('permission', 'failed', 'there is no sudo', join) }
    : {
        sudo,
        check: checkOf(
          'permission',
          'ok',
          'staprun runs as root, with sudo, which may ask for a password in the terminal',
        ),
      };
}

/** Returns null if `uname -r` can't be run, or prints something else. */
export async function kernelRelease(target: Target): Promise<KernelRelease | null> {
  return parseKernelRelease((await printedBy(target, ['uname', '-r'])).trim());
}

/** The kernel that modules are compiled for. */
export interface RunningKernel {
  /** Result of {@link kernelRelease}. */
  readonly release: KernelRelease | null;
  /** Whether its headers are installed, which stap compiles with. */
  readonly headers: Check;
}

/** Checks whether the headers of the target's running kernel are installed, on the machine that compiles. */
export async function checkKernel(target: Target, builder: Target = target): Promise<RunningKernel> {
  const release = await kernelRelease(target);
  const answer = (status: Check['status'], found: string, remedy: string | null = null): RunningKernel => ({
    release,
    headers: checkOf('headers', status, found, remedy),
  });
  if (release === null) {
    const status = builder === target ? 'unknown' : 'failed';
    return answer(status, `uname -r names no kernel release on ${target.host}`);
  }
  const makefile = await builder.stat(`/lib/modules/${release}/build/Makefile`).catch(() => null);
  if (makefile !== null) return answer('ok', `kernel headers for ${release}`);
  const { distributions } = await readKernelSettings(builder);
  const isRpm = distributions.some((name) => name === 'fedora' || name === 'rhel');
  return answer(
    'failed',
    `the headers of the kernel ${release} are not installed${builder === target ? '' : ` on ${builder.host}`}`,
    isRpm ? `run: sudo dnf install kernel-devel-${release}` : `run: sudo apt install linux-headers-${release}`,
  );
}

/**
 * Returns whether the kernel's headers contain a `vmlinux` that holds types only (Debian 13) or was stripped. stap takes
 * it for the kernel's symbols, and then names nothing in the kernel right.
 */
export async function hasBareVmlinux(target: Target, release: KernelRelease): Promise<boolean> {
  const facts = await readElfFacts(target, `/lib/modules/${release}/build/vmlinux`);
  // Without code, its symbols are names of types.
  return facts !== null && (!facts.code || (!facts.symbols && !facts.debugInfo));
}

const INTERRUPTED_QUERIES = readScript(new URL('./interrupted-queries.sh', import.meta.url));

/** Warns of queries for tracepoints that were interrupted, after which stap finds no tracepoint; null if there are none. */
export async function checkQueries(target: Target, env: Readonly<Record<string, string>>): Promise<Check | null> {
  const said = await runToEnd(target, ['/bin/sh', '-c', `${INTERRUPTED_QUERIES}\ninterrupted_queries`], { env }).catch(
    () => null,
  );
  if (said === null || said.stdout.length === 0) return null;
  return checkOf(
    'stap-cache',
    'warning',
    'SystemTap’s cache has empty files of interrupted queries, so it finds no tracepoints',
    'mend SystemTap (--mend), which also deletes them',
  );
}

export async function checkProcess(target: Target, { scope, what, asRoot }: StapOptions): Promise<TracedProcess> {
  if (scope.kind === 'system') {
    if (what.kind === 'script') return WHOLE_SYSTEM;
    return refuseProcess('SystemTap’s recipes record one process', 'give --pid N; bpftrace records the whole system');
  }
  // staprun ends without an error if there is no such process.
  return checkTracedProcess(target, scope, what, { tool: 'stap', isQuotable, asRoot: asRoot === true });
}
