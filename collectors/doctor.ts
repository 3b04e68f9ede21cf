import type { Check } from '#core/contract/schemas.ts';
import { checkOwnLimits, checkPtrace } from './doctor/limit-checks.ts';
import { checkMachine } from './doctor/machine-checks.ts';
import { checkPrivilege } from './doctor/privilege-checks.ts';
import { checkStap } from './doctor/stap-check.ts';
import { surveyTarget } from './doctor/survey.ts';
import { checkObjdump } from './perf/annotate.ts';
import { probePerf } from './perf/capabilities.ts';
import { checkPerf, readKernelSettings } from './perf/checks.ts';
import { checkProcess } from './perf/process-checks.ts';
import type { Target } from './target/target.ts';

/**
 * What can be recorded on a target and, with a PID, how good a recording of that process would be: checks in a fixed order, each
 * yielded once it is known. The process of the PID is recorded for a moment.
 */
export async function* runDoctor(target: Target, pid: number | null): AsyncGenerator<Check> {
  const [survey, settings] = await Promise.all([surveyTarget(target, pid), readKernelSettings(target)]);
  if (survey === null) {
    const found = `${target.host}: can’t run commands`;
    yield { id: 'target', status: 'failed', found, remedy: 'check that it is reachable and has a POSIX shell' };
    return;
  }
  yield* checkMachine(target, survey);
  yield* checkPrivilege(survey, settings.privileged);
  yield checkOwnLimits(survey);
  yield checkPtrace(survey);
  yield checkStap(survey, settings.distributions);
  const perf = await probePerf(target, ['fp', 'dwarf', 'lbr']);
  yield* checkPerf(perf, settings);
  yield withoutWhichAllCanBeRecorded(checkObjdump(await target.findExecutable('objdump'), settings.distributions));
  if (pid !== null) yield* checkProcess(target, pid, perf, survey);
}

/** Where a target can't be reached at all. */
export const unreachable = (message: string, remedy: string | null): Check => ({
  id: 'target',
  status: 'failed',
  found: message,
  remedy,
});

const withoutWhichAllCanBeRecorded = (check: Check): Check =>
  check.status === 'failed' ? { ...check, status: 'warning' } : check;
