import { useMemo, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { LoadTest } from '#core/contract/load-test.ts';
import { compareSweeps, FAMILY_TEXT, type LoadComparison } from '#core/load/compare-sweeps.ts';
import { COMPONENTS_TEXT, compareComponents, componentChanges, componentTable } from '#core/load/components.ts';
import { sweepNotes } from '#core/load/describe-load.ts';
import { kneeNotes } from '#core/load/knee.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepCharts, type ChartOptions, type ChartSide } from '#core/load/sweep-charts.ts';
import { vitalsCharts } from '#core/load/vitals-charts.ts';
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
  /** The runs with their observations of the server; empty for a file. */
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
    return {
      roles,
      charts: sweepCharts(
        shown.map(({ sweep }, place) => ({ role: roles[place]!, sweep })),
        { locale: LOCALE, text, scale },
      ),
      vitals: vitalsCharts(
        shown.map(({ runs }, place) => ({ role: roles[place]!, runs })),
        LOCALE,
      ),
    };
  }, [shown, scale]);
  if (first === undefined) return null;
  const notes = [
    ...new Set([
      ...(comparison === null ? [] : [...comparison.warnings, FAMILY_TEXT]),
      ...shown.flatMap(({ sweep }, place) => [...kneeNotes(sweep, text, roles[place]), ...sweepNotes(sweep)]),
    ]),
  ];
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
        <section className="load-vitals" aria-label="The server during the runs">
          <h4>
            The server during the runs <span className="dim">connections below each run</span>
          </h4>
          <ChartFigures charts={vitals} />
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
        : [componentChanges(compareComponents(comparison), text), COMPONENTS_TEXT],
    [shown, comparison],
  );
  if (table === null) return null;
  return (
    <section className="load-components" aria-label="Components of the server">
      <h4>Components of the server</h4>
      <TextTable label="Table of components" header={table.header} rows={table.rows} />
      {caption !== null && <p className="dim">{caption}</p>}
    </section>
  );
}
