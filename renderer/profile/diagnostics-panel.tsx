import type { ReactElement } from 'react';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import { count } from '../shell/format.ts';
import { Icon } from '../shell/icons.tsx';
import { useWorkbenchState } from '../shell/workbench-context.ts';
import { describeLocation } from '../state/describe-location.ts';
import { useTabState } from './profile-context.ts';

/** How good the data is: what the importer tolerated and what the recording lost, each with its remedy. */
export function DiagnosticsPanel(): ReactElement {
  const captureId = useTabState((state) => state.captureId);
  const fromFile = useTabState((state) => state.profile?.diagnostics) ?? [];
  const capture = useWorkbenchState((state) => state.captures?.find((one) => one.id === captureId) ?? null);
  const fromCapture: readonly Diagnostic[] = capture?.diagnostics ?? [];
  if (fromFile.length + fromCapture.length === 0) {
    return <p className="panel-hint">Nothing to report: every line was read and nothing was lost.</p>;
  }
  return (
    <div className="diagnostics">
      <DiagnosticList title="Recording" rows={fromCapture} />
      <DiagnosticList title="File" rows={fromFile} />
    </div>
  );
}

function DiagnosticList({ title, rows }: { title: string; rows: readonly Diagnostic[] }): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <section>
      <h4>{title}</h4>
      <ul>
        {rows.map((row) => (
          <li key={row.code} className={`diagnostic ${row.severity}`}>
            <Icon name={row.severity === 'warning' ? 'warning' : 'info'} />
            <div>
              <p>
                {row.message}
                {describeLocation(row.first)}
                {row.count > 1 && <span className="badge mono">× {count(row.count)}</span>}
              </p>
              {row.remedy !== null && <p className="dim">{row.remedy}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
