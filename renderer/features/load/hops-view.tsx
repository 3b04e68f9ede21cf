import { useMemo, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { hopTable } from '#core/load/hops.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepOfTest, type LoadSweep } from '#core/load/sweep.ts';
import { Select } from '../../ui/fields/select.tsx';
import type { LoadChoice } from './use-load-tests.ts';
import { TextTable } from './text-table.tsx';
import { useTests } from './use-tests.ts';

const text = createLoadText('en');
const MAX_MORE = 6;

interface HopsViewProps {
  /** The innermost hop and the next one. */
  readonly first: readonly LoadSweep[];
  /** Load tests that can be further hops. */
  readonly choices: readonly LoadChoice[];
}

/** What each hop adds to the latency of the one behind it, next to the QPS per core of each component. */
export function HopsView({ first, choices }: HopsViewProps): ReactElement {
  const [more, setMore] = useState<readonly string[]>([]);
  const { tests, problem } = useTests(more);
  const { header, rows } = useMemo(() => {
    const others = more.flatMap((id) => tests.get(id) ?? []).map(sweepOfTest);
    return hopTable([...first, ...others], text);
  }, [first, more, tests]);
  return (
    <details className="load-components">
      <summary>Latency that each hop adds</summary>
      <p className="dim">
        From the inside out: the app first, then what forwards to it. Added: after − before, as above.
      </p>
      {problem !== null && <p className="panel-hint">{visibleText(problem)}</p>}
      <TextTable header={header} rows={rows} />
      {more.length < MAX_MORE && (
        <label className="labelled">
          Next hop
          <Select
            value=""
            options={[
              { value: '', label: 'None' },
              ...choices
                .filter(({ key, where }) => where !== 'file' && !more.includes(key))
                .map(({ key, name, where }) => ({ value: key, label: `${visibleText(name.slice(0, 80))} · ${where}` })),
            ]}
            onChange={(key) => setMore([...more, key])}
          />
        </label>
      )}
      {more.length > 0 && (
        <button type="button" className="button" onClick={() => setMore([])}>
          Only two hops
        </button>
      )}
    </details>
  );
}
