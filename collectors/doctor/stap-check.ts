import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import type { Survey } from './survey.ts';

interface Lack {
  readonly what: string;
  /** A command, or null if none helps. */
  readonly remedy: string | null;
}

/**
 * Checks the requirements of SystemTap: the program, a kernel that loads modules and has probes, headers and a
 * compiler, debuginfo, permission.
 */
export function checkStap(survey: Survey, distributions: readonly string[]): Check {
  const id = 'stap';
  const installed = survey.tool('stap');
  const hopeless = checkStapKernel(survey);
  if (hopeless !== null) return hopeless;
  const ofKernel = [...kernelLacks(survey)];
  const lacks = [...ofKernel, ...buildLacks(survey, distributions), ...rightLacks(survey)];
  const what = lacks.map((lack) => lack.what).join(', ');
  const staprun = survey.tool('staprun');
  if (installed === null && staprun !== null) return checkStaprun(staprun, [...ofKernel, ...rightLacks(survey)]);
  const remedies = [...new Set(lacks.flatMap(({ remedy }) => remedy ?? []))];
  if (installed === null) {
    const found = `SystemTap is not installed${what === '' ? '' : `, and would lack: ${what}`}; perf does not need it`;
    return checkOf(id, 'absent', found, [install(distributions, 'systemtap'), ...remedies].join('; '));
  }
  if (lacks.length === 0) return checkOf(id, 'ok', installed);
  return checkOf(id, 'warning', `${installed} lacks: ${what}`, remedies.join('; ') || null);
}

/** Returns why SystemTap can't work on the running kernel whatever is installed; null if it can. */
export function checkStapKernel(survey: Survey): Check | null {
  const lacks = [...kernelLacks(survey)].filter(({ remedy }) => remedy === null);
  if (lacks.length === 0) return null;
  const needed = lacks.map(({ what }) => what).join(' and ');
  const found = `SystemTap can’t work on this kernel: it needs ${needed}; perf does not need it`;
  return checkOf('stap', survey.tool('stap') === null ? 'absent' : 'warning', found);
}

/** Checks a target that has only the part of SystemTap which loads modules; they are compiled on another host. */
function checkStaprun(path: string, lacks: readonly Lack[]): Check {
  const found = `${path}, without stap: modules are compiled on another host (--build-on)`;
  if (lacks.length === 0) return checkOf('stap', 'ok', found);
  const what = lacks.map((lack) => lack.what).join(', ');
  const remedy = lacks.flatMap((lack) => lack.remedy ?? []).join('; ') || null;
  return checkOf('stap', 'warning', `${found}; lacks: ${what}`, remedy);
}

function* kernelLacks(survey: Survey): Generator<Lack> {
  const config = survey.one('kernel-config');
  const has = (setting: string): boolean => config === null || config.includes(`CONFIG_${setting}=y`);
  const withModules = survey.one('modules') !== null && has('MODULES');
  if (!withModules) yield { what: 'one that loads modules', remedy: null };
  if (withModules && survey.one('modules-disabled') === '1') {
    yield {
      what: 'module loading, which is disabled until the next boot',
      remedy: 'reboot without kernel.modules_disabled=1',
    };
  }
  const lockdown = /\[(integrity|confidentiality)\]/.exec(survey.one('lockdown') ?? '')?.[1];
  if (lockdown !== undefined) {
    yield {
      what: `the right to load unsigned modules (lockdown: ${lockdown})`,
      remedy: 'sign them with a key of the machine’s owner (mokutil), or turn Secure Boot off',
    };
  }
  if (!has('KPROBES') || !has('UPROBES')) yield { what: 'one with kprobes and uprobes', remedy: null };
}

function* buildLacks(survey: Survey, distributions: readonly string[]): Generator<Lack> {
  if (survey.one('headers') === null) {
    yield { what: 'headers of the running kernel', remedy: install(distributions, 'headers') };
  }
  const tools = ['gcc', 'make'].filter((name) => survey.tool(name) === null);
  if (tools.length > 0) yield { what: tools.join(' and '), remedy: install(distributions, 'gcc make') };
  if (survey.one('vmlinux') === null) yield { what: 'debuginfo of the kernel', remedy: 'run: sudo stap-prep' };
}

function* rightLacks(survey: Survey): Generator<Lack> {
  const groups = (survey.one('groups') ?? '').split(' ');
  if (survey.one('uid') === '0' || (groups.includes('stapdev') && groups.includes('stapusr'))) return;
  yield {
    what: 'the groups stapusr and stapdev',
    remedy: 'run: sudo usermod -aG stapusr,stapdev $USER, and log in again',
  };
}

function install(distributions: readonly string[], what: string): string {
  for (const name of distributions) {
    if (name === 'debian' || name === 'ubuntu')
      return `run: sudo apt install ${what.replace('headers', 'linux-headers-$(uname -r)')}`;
    if (name === 'fedora' || name === 'rhel')
      return `run: sudo dnf install ${what.replace('headers', 'kernel-devel-$(uname -r)')}`;
  }
  return `install ${what.replace('headers', 'the headers of its kernel')} of its distribution`;
}
