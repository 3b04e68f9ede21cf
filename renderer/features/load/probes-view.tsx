import { useMemo, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { probeNotes, probeTable, type ProbeSide } from '#core/load/describe-probe.ts';
import { probeCharts } from '#core/load/charts/probes.ts';
import { createFormatter } from '#core/units/format.ts';
import { ChartFigures } from './chart-view.tsx';
import { TextTable } from './text-table.tsx';

const LOCALE = 'en';
const format = createFormatter(LOCALE);

/** Where a request's time goes, of one series of probes or two: stacked medians, each total, and the phases as a table. */
export function ProbesView({ probes }: { readonly probes: readonly ProbeSide[] }): ReactElement | null {
  const charts = useMemo(() => probeCharts(probes, LOCALE), [probes]);
  const table = useMemo(() => probeTable(probes, format), [probes]);
  if (charts.length === 0) return null;
  return (
    <>
      {probes.length > 1 && (
        <p className="load-legend">
          {probes.map(({ role, name }) => (
            <span key={role} className={`load-${role}`}>
              ● {role}: {visibleText(name)}
            </span>
          ))}
        </p>
      )}
      <ChartFigures charts={charts} className="probe-figure" />
      <TextTable label="Table of probes" table={table} />
      <ul className="load-notes dim">
        {probeNotes(probes).map((note) => (
          <li key={note}>{visibleText(note)}</li>
        ))}
      </ul>
    </>
  );
}
