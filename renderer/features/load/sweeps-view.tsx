import { useMemo, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { LoadTest } from '#core/contract/load/load-test.ts';
import { compareSweeps, type LoadComparison } from '#core/load/compare-sweeps.ts';
import {
  COMPONENTS_TEXT,
  compareComponents,
  componentChanges,
  componentTable,
  oneSidedComponents,
} from '#core/load/components.ts';
import { compareSeries, SERIES_TEXT, seriesChanges, seriesTable } from '#core/load/compare-series.ts';
import { sidesNotes } from '#core/load/describe-load.ts';
import { overTimeTable } from '#core/load/describe-answers.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepCharts, type ChartOptions, type ChartSide } from '#core/load/charts/sweeps.ts';
import { vitalsCharts } from '#core/load/charts/vitals.ts';
import type { LoadSweep } from '#core/load/sweep.ts';
import { ChartFigures } from './chart-view.tsx';
import { SweepTable } from './sweep-table.tsx';
import { TextTable } from './text-table.tsx';
import './load.css';

const LOCALE = 'en';
const text = createLoadText(LOCALE);

/** A sweep to show. */
export interface ShownSweep {
  readonly sweep: LoadSweep;
  /** The runs with what was observed of them. */
  readonly runs: LoadTest['runs'];
  /** Exactly what ran; absent: unknown. */
  readonly commands?: NonNullable<LoadTest['commands']>;
}

interface SweepsViewProps {
  /** One sweep, or before and after. */
  readonly shown: readonly ShownSweep[];
  readonly scale: ChartOptions['scale'];
}

/** Charts of one sweep or two overlaid, the table of steps, the server's components and vitals, and notes. */
export function SweepsView({ shown, scale }: SweepsViewProps): ReactElement | null {
  const [first, second] = shown;
  const comparison = useMemo(
    () => (first === undefined || second === undefined ? null : compareSweeps(first.sweep, second.sweep)),
    [first, second],
  );
  const { charts, vitals, roles } = useMemo(() => {
    const roles = shown.map((_, place): ChartSide['role'] =>
      shown.length === 1 ? 'only' : place === 0 ? 'before' : 'after',
    );
    // Over a single step, only the distribution says more than the table.
    const isSweep = new Set(shown.flatMap(({ sweep: { steps } }) => steps.map((step) => step.concurrency))).size > 1;
    return {
      roles,
      charts: sweepCharts(
        shown.map(({ sweep }, place) => ({ role: roles[place]!, sweep })),
        { locale: LOCALE, text, scale },
      ).filter(({ id }) => isSweep || id === 'distribution'),
      vitals: vitalsCharts(
        shown.map(({ runs }, place) => ({ role: roles[place]!, runs })),
        LOCALE,
      ),
    };
  }, [shown, scale]);
  if (first === undefined) return null;
  const sides = shown.map(({ sweep }, place) => ({ sweep, role: roles[place]! }));
  const notes = sidesNotes(sides, comparison, text);
  const series = comparison === null ? seriesTable(first.sweep, text) : seriesChanges(compareSeries(comparison), text);
  const overTime = shown.flatMap(({ runs }, place) => {
    const table = overTimeTable(runs, text);
    return table === null ? [] : [{ role: roles[place]!, table }];
  });
  return (
    <>
      {second !== undefined && (
        <p className="load-legend">
          <span className="load-before">● before: {visibleText(first.sweep.name)}</span>
          <span className="load-after">● after: {visibleText(second.sweep.name)}</span>
        </p>
      )}
      {comparison !== null && <Components shown={shown} comparison={comparison} />}
      <div className="load-charts">
        <ChartFigures charts={charts} />
      </div>
      <SweepTable sweep={first.sweep} comparison={comparison} text={text} />
      {comparison === null && <Components shown={shown} comparison={null} />}
      {vitals.length > 0 && (
        <section className="load-vitals" aria-label="During the runs">
          <h4>
            During the runs <span className="dim">connections below each run</span>
          </h4>
          <ChartFigures charts={vitals} />
          {series !== null && <TextTable label="Table of series" table={series} />}
          {series !== null && comparison !== null && <p className="dim">{SERIES_TEXT}</p>}
          {overTime.map(({ role, table }) => (
            <TextTable key={role} label={`Latency over time${role === 'only' ? '' : `, ${role}`}`} table={table} />
          ))}
        </section>
      )}
      {notes.length > 0 && (
        <ul className="load-notes dim">
          {notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

interface ComponentsProps {
  readonly shown: readonly ShownSweep[];
  readonly comparison: LoadComparison | null;
}

/** CPU, CPU per request and QPS per core of each component, of one sweep or before and after. */
export function Components({ shown, comparison }: ComponentsProps): ReactElement | null {
  const [table, caption] = useMemo(
    () =>
      comparison === null
        ? [shown[0] === undefined ? null : componentTable(shown[0].sweep, text), null]
        : [componentChanges(compareComponents(comparison), text, oneSidedComponents(comparison)), COMPONENTS_TEXT],
    [shown, comparison],
  );
  if (table === null) return null;
  return (
    <section className="load-components" aria-label="Components of the server">
      <h4>Components of the server</h4>
      <TextTable label="Table of components" table={table} />
      {caption !== null && <p className="dim">{caption}</p>}
    </section>
  );
}
