import type { ReactElement } from 'react';
import type { LoadProfile } from '#core/contract/load-profile.ts';
import type { LoadPlan } from '#core/contract/load-test.ts';
import { Select } from '../../ui/fields/select.tsx';
import { MonoField } from '../../ui/fields/mono-field.tsx';

const PROFILES = [
  { value: 'none', label: 'No profile' },
  { value: 'each', label: 'perf, in each run' },
  { value: 'knee', label: 'perf, at the knee' },
  { value: 'pprof each', label: 'pprof, in each run' },
  { value: 'pprof knee', label: 'pprof, at the knee' },
  { value: 'off-cpu each', label: 'bpftrace off-cpu, in each run' },
  { value: 'off-cpu knee', label: 'bpftrace off-cpu, at the knee' },
] as const;

/** What to watch of the server, as typed. */
export interface WatchedServer {
  /** PIDs, separated by commas; empty watches nothing. */
  readonly pids: string;
  /** Null for the machine that sends the requests. */
  readonly target: string | null;
  readonly profile: (typeof PROFILES)[number]['value'];
}

export const NOT_WATCHED: WatchedServer = { pids: '', target: null, profile: 'none' };

const pidsOf = ({ pids }: WatchedServer): number[] =>
  pids
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map(Number);

export const hasValidPids = (watched: WatchedServer): boolean =>
  pidsOf(watched).every((pid) => Number.isInteger(pid) && pid > 0);

/** Returns the plan's part about the server; `target` sends the requests. */
export function serverOf(watched: WatchedServer, target: string): Pick<LoadPlan, 'server'> {
  const pids = pidsOf(watched);
  const { profile } = watched;
  if (pids.length === 0) return {};
  return {
    server: {
      target: watched.target ?? target,
      pids,
      profile: profileOf(profile),
    },
  };
}

function profileOf(profile: WatchedServer['profile']): LoadProfile | null {
  switch (profile) {
    case 'none':
      return null;
    case 'each':
    case 'knee':
      return { collector: 'perf', rateHz: 99, callGraph: 'fp', at: profile };
    case 'pprof each':
    case 'pprof knee':
      return { collector: 'pprof', url: null, at: profile === 'pprof each' ? 'each' : 'knee' };
    case 'off-cpu each':
    case 'off-cpu knee': {
      const at = profile === 'off-cpu each' ? 'each' : 'knee';
      return { collector: 'bpftrace', recipe: 'off-cpu', rateHz: 99, at };
    }
  }
}

interface ServerFieldsProps {
  readonly watched: WatchedServer;
  readonly hosts: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (watched: WatchedServer) => void;
}

const SAME = '';

/** Fields for the server's processes, their machine, and the profile that is recorded of them. */
export function ServerFields({ watched, hosts, onChange }: ServerFieldsProps): ReactElement {
  const isWatched = watched.pids.trim() !== '';
  return (
    <div className="sweep-fields">
      <MonoField
        label="PIDs of the server"
        value={watched.pids}
        placeholder="none, or 4711, 4712"
        onChange={(pids) => onChange({ ...watched, pids })}
      />
      {isWatched && (
        <>
          <label className="labelled">
            They run on
            <Select
              value={watched.target ?? SAME}
              options={[{ value: SAME, label: 'the same machine' }, ...hosts]}
              onChange={(target) => onChange({ ...watched, target: target === SAME ? null : target })}
            />
          </label>
          <label className="labelled">
            Profile
            <Select
              value={watched.profile}
              options={PROFILES}
              onChange={(profile) => onChange({ ...watched, profile })}
            />
          </label>
        </>
      )}
    </div>
  );
}
