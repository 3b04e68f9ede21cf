import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { HostRecording } from '#core/contract/schemas.ts';
import { bytes, count } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbenchState } from '../../state/workbench-context.ts';
import { STATE_NAMES } from './state-names.ts';

/** The progress of each host of a recording; a failure is shown in its row. */
export function HostStates({ hosts }: { hosts: readonly HostRecording[] }): ReactElement {
  const targets = useWorkbenchState((state) => state.targets?.targets) ?? [];
  return (
    <table className="host-states">
      <thead>
        <tr>
          <th scope="col">Host</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Samples
          </th>
          <th scope="col" className="number">
            Lost
          </th>
          <th scope="col" className="number">
            Size
          </th>
        </tr>
      </thead>
      <tbody>
        {hosts.map((host) => (
          <HostRow
            key={host.target}
            host={host}
            name={targets.find(({ id }) => id === host.target)?.name ?? host.host}
          />
        ))}
      </tbody>
    </table>
  );
}

function HostRow({ host, name }: { host: HostRecording; name: string }): ReactElement {
  const { state, run, runs, samples, lost, bytes: size, error } = host;
  const isOn = state === 'recording' || state === 'preparing' || state === 'stopping';
  return (
    <>
      <tr>
        <th scope="row" className="ellipsis">
          {visibleText(name)}
        </th>
        <td className={state === 'failed' ? 'danger' : ''}>
          {state === 'failed' ? <Icon name="close" /> : <span className={isOn ? 'dot live' : 'dot ok'} />}{' '}
          {STATE_NAMES[state]}
          {runs > 1 && ` ${run + 1} of ${runs}`}
        </td>
        <td className="number mono">{count(samples)}</td>
        <td className={lost > 0 ? 'number mono warn' : 'number mono'}>{count(lost)}</td>
        <td className="number mono">{bytes(size)}</td>
      </tr>
      {error !== null && (
        <tr className="host-error">
          <td colSpan={5}>{visibleText(error)}</td>
        </tr>
      )}
    </>
  );
}
