import type { Result } from '#core/contract/contract.ts';
import type { PlannedHost } from '../recording/recorder.ts';

/** Returns what a plan's answer says of a host. */
export const plannedHost = ({
  targetId,
  commands,
  requests,
  lines,
  checks,
}: PlannedHost): Result<'record.plan'>['hosts'][number] => ({
  target: targetId,
  commands: commands.map((argv) => [...argv]),
  requests: [...requests],
  lines: [...lines],
  checks: [...checks],
});
