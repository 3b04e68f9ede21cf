import { isPython, type PythonOptions } from '#core/contract/python.ts';
import { checkIdentity } from '../chosen-process.ts';
import type { Collector, Preflight } from '../collector.ts';
import { findProcess } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { readBack } from '../trace-read-back.ts';
import { withoutLive } from '../without-live.ts';
import { SENT_VERSION } from './builds.ts';
import { checkAccess, findPySpy, judgePySpy, refuseNative, tryPySpy } from './checks.ts';
import { startPython } from './driver.ts';
import { planPython, RAW_FILE } from './plan.ts';
import { checkSending } from './sending.ts';

/** Samples the functions of a running CPython process with py-spy, which reads its memory. */
export const pythonCollector: Collector<PythonOptions> = {
  id: 'python',
  label: 'Python (py-spy)',
  output: { primaryFile: RAW_FILE, otherFiles: [], format: 'speedscope' },
  async checkProcess(target, process) {
    if (!isPython(process)) return [];
    const scope = { kind: 'pid', pid: process.pid, startTicks: process.startTicks } as const;
    const common = { rateHz: 1, seconds: 1, threads: 'running', stacks: 'python', subprocesses: false } as const;
    const { checks } = await preflightPython(target, { collector: 'python', scope, ...common });
    const worst = checks.find(({ status }) => status === 'failed') ?? checks.at(-1)!;
    return [{ ...worst, id: 'py-spy', found: [...new Set([checks[0]!.found, worst.found])].join('; ') }];
  },
  preflight: preflightPython,
  start: startPython,
  scope: ({ scope }) => scope,
  title: ({ scope }) => `Python of process ${scope.pid}`,
  live: withoutLive('py-spy gives its samples at the end of a recording'),
  async recover(_target, sink) {
    return { ...(await readBack(sink, RAW_FILE)), diagnostics: [] };
  },
};

async function preflightPython(target: Target, given: PythonOptions): Promise<Preflight<PythonOptions>> {
  const { scope } = given;
  const [process, pySpy] = await Promise.all([findProcess(target, scope.pid), findPySpy(target)]);
  const tool = judgePySpy(pySpy);
  const other = checkIdentity(scope, process);
  if (process === null || other !== null) return { checks: other === null ? [tool] : [tool, other], plan: null };
  const refused = given.stacks === 'native' ? await refuseNative(target, scope.pid) : null;
  if (refused !== null) return { checks: [tool, refused], plan: null };
  const options = { ...given, scope: { ...scope, startTicks: process.startTicks } };
  const installed = tool.status === 'ok' ? pySpy : null;
  const { sudo, check } = await checkAccess(target, process, given, installed?.path ?? null);
  if (given.send !== undefined && (installed === null || check.id === 'owner')) {
    const access = check.id === 'owner' ? await checkAccess(target, process, given, null) : { sudo, check };
    const { sent, check: sending } = await checkSending(target, given.send);
    const checks = [sending, access.check];
    if (sent === null || access.check.status === 'failed') return { checks, plan: null };
    return { checks, plan: planPython({ pySpy: sent, version: SENT_VERSION, sudo: access.sudo }, options) };
  }
  const checks = [tool, check];
  if (pySpy === null || checks.some(({ status }) => status === 'failed')) return { checks, plan: null };
  // Root's password is not asked for before the plan is confirmed.
  if (sudo === null) checks.push(await tryPySpy(target, pySpy.path, scope.pid));
  if (checks.some(({ status }) => status === 'failed')) return { checks, plan: null };
  return { checks, plan: planPython({ pySpy: pySpy.path, version: pySpy.version!, sudo }, options) };
}
