import type { ReactElement } from 'react';
import { isJava } from '#core/contract/java.ts';
import { isNode } from '#core/contract/node.ts';
import type { CollectorId, ProcessRow } from '#core/contract/schemas.ts';
import type { CommonFields } from './form-fields.ts';

/** The collectors of runtimes. */
const RUNTIMES: readonly {
  readonly collector: CollectorId;
  readonly name: string;
  readonly is: (process: Pick<ProcessRow, 'executable'>) => boolean;
  /** What it records of them. */
  readonly what: string;
}[] = [
  { collector: 'node', name: 'Node', is: isNode, what: 'Node its JavaScript functions' },
  { collector: 'java', name: 'Java', is: isJava, what: 'Java its methods, allocations and locks' },
];

interface RuntimeHintProps {
  readonly form: CommonFields;
  readonly onChange: (change: Partial<CommonFields>) => void;
}

/** Proposes the collector of a selected process's runtime. */
export function RuntimeHint({
  form: { processes, targets, purpose },
  onChange,
}: RuntimeHintProps): ReactElement | null {
  const chosen = targets.flatMap((target) => processes.get(target) ?? []);
  const runtime = RUNTIMES.find(({ is }) => chosen.some(is));
  if (runtime === undefined || purpose.kind === 'live') return null;
  const { collector, name, what } = runtime;
  return (
    <p className="panel-hint">
      This process is {name}: perf samples its native code, {what}.{' '}
      <button type="button" className="button" onClick={() => onChange({ collector })}>
        Record with {name}
      </button>
    </p>
  );
}
