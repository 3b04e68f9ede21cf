import type { Check } from '#core/contract/schemas.ts';
import type { Survey } from './survey.ts';

/** Checks the user's rights. `privileged`: root, CAP_PERFMON or CAP_SYS_ADMIN in effect; null if unknown. */
export function* checkPrivilege(survey: Survey, privileged: boolean | null): Generator<Check> {
  const id = 'privilege';
  const user = survey.one('user');
  const who = user === null ? '' : `${user}: `;
  const capabilities = survey.one('perf-capabilities');
  if (privileged === null) yield { id, status: 'unknown', found: 'can’t be read', remedy: null };
  else if (privileged) {
    yield { id, status: 'ok', found: `${who}may record every process (root, or CAP_PERFMON)`, remedy: null };
  } else if (capabilities !== null && /cap_(?:perfmon|sys_admin)[^ ]*[+=][eip]*e/.test(capabilities)) {
    yield {
      id,
      status: 'ok',
      found: `${who}an ordinary user; perf itself has the capability to record every process`,
      remedy: null,
    };
  } else {
    const found = `${who}an ordinary user: own processes only, within kernel.perf_event_paranoid`;
    const remedy =
      'for other users’ processes record as root, or give perf the capability: sudo setcap cap_perfmon+ep <path of perf>';
    yield { id, status: 'warning', found, remedy };
  }
  yield checkSudo(survey);
}

function checkSudo(survey: Survey): Check {
  const id = 'sudo';
  const answer = survey.one('sudo');
  if (survey.one('uid') === '0') return { id, status: 'ok', found: 'not needed: this is root', remedy: null };
  if (survey.tool('sudo') === null)
    return { id, status: 'absent', found: 'not installed', remedy: 'to record as root, log in as root' };
  if (answer === 'free') return { id, status: 'ok', found: 'without a password', remedy: null };
  if (answer === null) return { id, status: 'unknown', found: 'could not be tested', remedy: null };
  if (/password is required|terminal is required|tty/i.test(answer)) {
    return {
      id,
      status: 'ok',
      found: 'asks for a password in the terminal; what it allows is known only after that',
      remedy: null,
    };
  }
  const found = `refused (${answer.replace(/^no: (?:sudo: )?/, '').slice(0, 200)})`;
  return { id, status: 'warning', found, remedy: 'ask the administrator to allow it, or record your own processes' };
}
