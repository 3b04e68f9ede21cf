import type { ReactElement } from 'react';
import { runtimeOf } from '#core/contract/runtimes.ts';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import type { CommonFields } from './form-fields.ts';
import type { NodeFields } from './node/node-form.ts';
import { Button } from '../../ui/buttons.tsx';

interface RuntimeHintProps {
  readonly form: CommonFields;
  readonly onChange: (change: Partial<CommonFields & NodeFields>) => void;
}

/** Proposes the collector of the runtime of a selected process, or shows the command of the tool that samples it. */
export function RuntimeHint({
  form: { processes, targets, purpose },
  onChange,
}: RuntimeHintProps): ReactElement | null {
  const found = targets.flatMap((target) => {
    const process = processes.get(target);
    const runtime = process === undefined ? null : runtimeOf(process);
    return runtime === null ? [] : [{ runtime, pid: process!.pid }];
  })[0];
  if (found === undefined || purpose.kind === 'live') return null;
  const { name, samples, collector, tool } = found.runtime;
  const command = tool?.command(found.pid);
  return (
    <p className="panel-hint">
      This process is {name}: {samples}.{' '}
      {collector !== 'perf' && <Button onClick={() => onChange({ collector })}>Record with {name}</Button>}
      {collector === 'node' && (
        <>
          {' '}
          <Button onClick={() => onChange({ collector, nodeProfile: 'cpu', nodeWithPerf: true })}>
            Record with both
          </Button>
        </>
      )}
      {command !== undefined && (
        <>
          For its functions, run <code className="mono">{command}</code>{' '}
          <CopyButton label="Copy the command" text={command} /> on its machine and open {tool!.writes}.
        </>
      )}
    </p>
  );
}
