import type { PythonOptions } from '#core/contract/python.ts';
import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import { isKept } from '../kept-files.ts';
import { readMachineFacts } from '../target/machine-facts.ts';
import type { Target } from '../target/target.ts';
import { PY_SPY_BUILDS, SENT_VERSION, type PySpyBuild } from './builds.ts';

interface Sending {
  /** Null if it can't be sent; the check says why. */
  readonly sent: { readonly build: PySpyBuild; readonly isFetched: boolean } | null;
  readonly check: Check;
}

/** Checks whether py-spy can be sent to the target. */
export async function checkSending(target: Target, send: NonNullable<PythonOptions['send']>): Promise<Sending> {
  const failed = (found: string, remedy: string): Sending => ({
    sent: null,
    check: checkOf('py-spy', 'failed', found, remedy),
  });
  const { arch } = await readMachineFacts(target);
  const build = PY_SPY_BUILDS.find(({ machine }) => machine === arch);
  if (build === undefined) {
    const all = PY_SPY_BUILDS.map(({ machine }) => machine).join(' and ');
    return failed(`${target.host} is ${arch ?? 'unknown'}; py-spy is sent to ${all}`, 'run there: pipx install py-spy');
  }
  if ((await target.findExecutable('sha256sum')) === null)
    return failed(`${target.host} has no sha256sum, which checks py-spy there`, 'install coreutils there');
  const kept = await isKept(build);
  if (!kept && send === 'kept')
    return failed(`the py-spy given is not for ${build.machine}`, 'give the wheel for it, or --send-py-spy');
  const found = `py-spy ${SENT_VERSION} for ${build.machine}${kept ? ', kept here' : ''}`;
  return { sent: { build, isFetched: !kept }, check: checkOf('py-spy', 'ok', found) };
}
