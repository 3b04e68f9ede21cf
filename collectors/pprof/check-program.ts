import type { ProcessRow } from '#core/contract/schemas.ts';
import { diagnostic } from '#core/model/diagnostics.ts';
import type { ProfileMetadata } from '#core/model/profile.ts';
import type { RecordingFailure } from '../recording-failure.ts';

type Asked = Pick<ProcessRow, 'pid' | 'name' | 'executable' | 'buildId'>;

export const executableName = (path: string): string => path.replace(/ \(deleted\)$/, '').replace(/^.*\//, '');
const isHex = (id: string | null | undefined): id is string => typeof id === 'string' && /^[0-9a-f]{8,}$/i.test(id);

/**
 * Judges whether a profile is of the process that was asked for: a proxy forwards `/debug/pprof/` like any other path.
 * Build ids decide if both are known, else the names of the files: paths differ in containers.
 */
export function judgeProgram(
  asked: Asked | null,
  { executable, executableBuildId }: Pick<ProfileMetadata, 'executable' | 'executableBuildId'>,
): 'same' | 'unknown' | RecordingFailure {
  const named = executable === undefined ? null : executableName(executable);
  const own = asked === null || asked.executable === null ? null : executableName(asked.executable);
  const isKnown = isHex(executableBuildId) && isHex(asked?.buildId);
  if (asked === null || (!isKnown && (named === null || own === null))) return 'unknown';
  const isSame = isKnown ? executableBuildId.toLowerCase() === asked.buildId!.toLowerCase() : named === own;
  if (isSame) return 'same';
  const build = isKnown && named === own ? ' of another build' : '';
  return { code: 'other-program', ...forwarded(asked, `${named ?? 'another program'}${build}`) };
}

/** Says that a process forwards what another program answers. */
export function forwarded(
  { pid, name, executable }: Pick<Asked, 'pid' | 'name' | 'executable'>,
  other: string,
): Pick<RecordingFailure, 'message' | 'remedy'> {
  const own = executable === null ? name : executableName(executable);
  return {
    message: `process ${pid} is ${own}, but the profile that its port sent is of ${other}`,
    remedy:
      name === 'docker-proxy'
        ? 'docker-proxy only forwards a published port: give the process in the container'
        : `${own} forwards /debug/pprof/: give the process that is behind it, or record this one with perf`,
  };
}

export const UNKNOWN_PROGRAM = diagnostic(
  'unknown-program',
  'The profile does not say of which program it is, so it may be of one behind the process that was asked',
);
