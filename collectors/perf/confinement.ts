import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import type { RecordingFailure } from '../recording-failure.ts';
import type { KernelSettings } from '../target/kernel-settings.ts';

const FROM_HOST = 'record from the host: flamebench record perf --container NAME there';
const UNFILTERED = 'start the container with --cap-add PERFMON --security-opt seccomp=unconfined';

/**
 * Returns a warning if something restricts this user's rights, as in containers; none on an ordinary host. A seccomp
 * filter may be harmless, so only {@link explainConfinement} mentions it.
 */
export function checkConfinement({ confinement }: KernelSettings): Check[] {
  const { isUserNamespace, apparmorProfile } = confinement;
  const checks: Check[] = [];
  if (isUserNamespace) {
    const found = 'this is a user namespace: its root has no rights over the kernel';
    checks.push(checkOf('user-namespace', 'warning', found, FROM_HOST));
  }
  if (apparmorProfile !== null) {
    const found = `AppArmor’s profile ${apparmorProfile} applies: it may refuse other processes’ memory maps and binaries`;
    const remedy = `${FROM_HOST}, or start the container with --security-opt apparmor=unconfined`;
    checks.push(checkOf('apparmor', 'warning', found, remedy));
  }
  return checks;
}

/**
 * Corrects perf's explanation, which blames kernel.perf_event_paranoid for every refusal: a filter or a namespace is
 * the more likely reason, and the setting would not help.
 */
export function explainConfinement(
  failure: RecordingFailure,
  { confinement, paranoid }: KernelSettings,
): RecordingFailure {
  if (failure.code !== 'perf-refused') return failure;
  const { isUserNamespace, hasSeccompFilter } = confinement;
  if (hasSeccompFilter && (paranoid === null || paranoid < 3)) {
    const message = 'the kernel refuses perf: a seccomp filter applies, as in containers';
    return { ...failure, message, remedy: `${FROM_HOST}, or ${UNFILTERED}` };
  }
  if (isUserNamespace) {
    const message = 'the kernel does not let this user run perf: root in a user namespace is an ordinary user';
    return { ...failure, message, remedy: FROM_HOST };
  }
  return failure;
}
