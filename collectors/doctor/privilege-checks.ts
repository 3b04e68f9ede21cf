import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import type { Survey } from './survey.ts';

/** Checks the user's rights. `privileged`: root, CAP_PERFMON or CAP_SYS_ADMIN in effect; null if unknown. */
export function* checkPrivilege(survey: Survey, privileged: boolean | null): Generator<Check> {
  const id = 'privilege';
  const user = survey.one('user');
  const who = user === null ? '' : `${user}: `;
  const capabilities = survey.one('perf-capabilities');
  if (privileged === null) yield checkOf(id, 'unknown', 'can’t be read');
  else if (privileged) {
    yield checkOf(id, 'ok', `${who}may record every process (root, or CAP_PERFMON)`);
  } else if (capabilities !== null && /cap_(?:perfmon|sys_admin)[^ ]*[+=][eip]*e/.test(capabilities)) {
    yield checkOf(id, 'ok', `${who}an ordinary user; perf itself has the capability to record every process`);
  } else {
    const found = `${who}an ordinary user: own processes only, within kernel.perf_event_paranoid`;
    const remedy =
      'for other users’ processes record as root, or give perf the capability: sudo setcap cap_perfmon+ep <path of perf>';
    yield checkOf(id, 'warning', found, remedy);
  }
  yield checkSudo(survey);
}

function checkSudo(survey: Survey): Check {
  const id = 'sudo';
  const answer = survey.one('sudo');
  if (survey.one('uid') === '0') return checkOf(id, 'ok', 'not needed: this is root');
  if (survey.tool('sudo') === null) return checkOf(id, 'absent', 'not installed', 'to record as root, log in as root');
  if (answer === 'free') return checkOf(id, 'ok', 'without a password');
  if (answer === null) return checkOf(id, 'unknown', 'could not be tested');
  if (/password is required|terminal is required|tty/i.test(answer)) {
    return checkOf(id, 'ok', 'asks for a password in the terminal; what it allows is known only after that');
  }
  const found = `refused (${answer.replace(/^no: (?:sudo: )?/, '').slice(0, 200)})`;
  return checkOf(id, 'warning', found, 'ask the administrator to allow it, or record your own processes');
}
