import type { ReactElement } from 'react';
import { isJava } from '#core/contract/java.ts';
import { isNode } from '#core/contract/node.ts';
import { isPython } from '#core/contract/python.ts';
import type { CollectorId } from '#core/contract/schemas.ts';
import type { CommonFields } from './form-fields.ts';

interface Runtime {
  readonly collector: CollectorId;
  readonly name: string;
  /** What its collector samples. */
  readonly samples: string;
  is(process: { readonly executable: string | null }): boolean;
}

const RUNTIMES: readonly Runtime[] = [
  { collector: 'node', name: 'Node', samples: 'its JavaScript functions', is: isNode },
  { collector: 'java', name: 'Java', samples: 'its methods, allocations and locks', is: isJava },
  { collector: 'python', name: 'Python', samples: 'its functions', is: isPython },
];

interface RuntimeHintProps {
  readonly form: CommonFields;
  readonly onChange: (change: Partial<CommonFields>) => void;
}

/** Proposes the collector of the runtime of a selected process. */
export function RuntimeHint({
  form: { processes, targets, purpose },
  onChange,
}: RuntimeHintProps): ReactElement | null {
  const chosen = targets.map((target) => processes.get(target) ?? { executable: null });
  const runtime = RUNTIMES.find((one) => chosen.some((process) => one.is(process)));
  if (runtime === undefined || purpose.kind === 'live') return null;
  const { name, samples, collector } = runtime;
  return (
    <p className="panel-hint">
      This process is {name}: perf samples its native code, {name} {samples}.{' '}
      <button type="button" className="button" onClick={() => onChange({ collector })}>
        Record with {name}
      </button>
    </p>
  );
}
