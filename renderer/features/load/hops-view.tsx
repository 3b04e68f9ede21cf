import { useMemo, useState, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { reportLoadOf } from '#core/contract/report/load.ts';
import {
  HOP_COMPONENTS_TITLE,
  hopComponents,
  hopRows,
  HOPS_TITLE,
  hopTable,
  MAX_HOPS,
  type HopRow,
} from '#core/load/hops.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { hopCharts, hopColour, type ChartOptions } from '#core/load/charts/sweeps.ts';
import { sweepOfTest } from '#core/load/sweep-of-test.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { ChartFigures } from './chart-view.tsx';
import type { ShownSweep } from './sweeps-view.tsx';
import type { LoadChoice } from './use-load-tests.ts';
import { TextTable } from './text-table.tsx';
import { useTests } from './use-tests.ts';
import { Button } from '../../ui/buttons.tsx';
import { SelectField } from '../../ui/fields/labelled-fields.tsx';

const LOCALE = 'en';
const text = createLoadText(LOCALE);
const MAX_MORE = MAX_HOPS - 2;

/** What each hop adds to the latency of the one behind it, and the CPU of each component. */
export function HopsTable({ rows }: { readonly rows: readonly HopRow[] }): ReactElement {
  const [table, components] = useMemo(() => [hopTable(rows, text), hopComponents(rows, text)], [rows]);
  return (
    <>
      <TextTable label="Table of hops" table={table} />
      {components !== null && <TextTable label={HOP_COMPONENTS_TITLE} table={components} />}
    </>
  );
}

interface HopsViewProps {
  /** The innermost hop and the next one. */
  readonly first: readonly ShownSweep[];
  readonly scale: ChartOptions['scale'];
  /** Load tests that can be further hops. */
  readonly choices: readonly LoadChoice[];
}

/** The hops' charts and table; further hops are chosen, and a report is made of them. */
export function HopsView({ first, scale, choices }: HopsViewProps): ReactElement {
  const { showDialog } = useWorkbench();
  const [more, setMore] = useState<readonly string[]>([]);
  const { tests, problem } = useTests(more);
  const hops = useMemo(() => {
    const others = more.flatMap((id) => tests.get(id) ?? []);
    return [...first, ...others.map((test): ShownSweep => ({ ...test, sweep: sweepOfTest(test) }))];
  }, [first, more, tests]);
  const { rows, charts } = useMemo(() => {
    const sweeps = hops.map(({ sweep }) => sweep);
    return { rows: hopRows(sweeps), charts: hopCharts(sweeps, { locale: LOCALE, text, scale }) };
  }, [hops, scale]);
  const loads = hops.map(({ sweep: { name, bound }, ...stored }) =>
    reportLoadOf('hop', { ...stored, name, ...(bound === undefined ? {} : { knee: bound }) }),
  );
  return (
    <details className="load-components">
      <summary>{HOPS_TITLE}</summary>
      <p className="dim">
        From the inside out: the app first, then what forwards to it. Added: difference to the hop above.
      </p>
      {problem !== null && <p className="panel-hint">{visibleText(problem)}</p>}
      <p className="load-legend">
        {hops.map(({ sweep: { name } }, place) => (
          <span key={place}>
            <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
              <circle cx="5" cy="5" r="4" fill={hopColour(place)} />
            </svg>{' '}
            {visibleText(name)}
          </span>
        ))}
      </p>
      <div className="load-charts">
        <ChartFigures charts={charts} />
      </div>
      <HopsTable rows={rows} />
      {more.length < MAX_MORE && (
        <SelectField
          label="Next hop"
          value=""
          options={[
            { value: '', label: 'None' },
            ...choices
              .filter(({ key, where }) => where !== 'file' && !more.includes(key))
              .map(({ key, name, where }) => ({
                value: key,
                label: `${visibleText(shortenMiddle(name, 80))} · ${where}`,
              })),
          ]}
          onChange={(key) => setMore([...more, key])}
        />
      )}
      <p className="load-state">
        {more.length > 0 && <Button onClick={() => setMore([])}>Only two hops</Button>}
        {hops.every(({ runs }) => runs.length > 0) && (
          <Button onClick={() => showDialog({ kind: 'report-load', loads })}>Report hops…</Button>
        )}
      </p>
    </details>
  );
}
