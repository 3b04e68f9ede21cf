import type { ReactElement } from 'react';
import type { TargetRow } from '#core/contract/target.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import { receiptLines, type Receipt } from '#core/model/receipt.ts';
import { describeQuality } from '#core/model/quality-grade.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import { recordAgain } from '../record/record-again.ts';
import { CaptureFactsPanel } from './capture-facts.tsx';
import { tabQuality } from '../../state/tab-title.ts';
import { useQualityWarning } from './quality-chip.tsx';
import { FailureHelp } from '../../ui/failure-help.tsx';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { describeLocation } from '../../state/problem.ts';
import { canPerfResolve, perfSourceOf } from '../../state/read-by-perf/perf-sources.ts';
import { useProfileTab, useTabState } from '../../state/profile/context.ts';
import { Button } from '../../ui/buttons.tsx';

const NO_TARGETS: readonly TargetRow[] = [];

/** The quality of the data: the importer's diagnostics and the recording's losses, each with its remedy. */
export function DiagnosticsPanel(): ReactElement {
  const captureId = useTabState((state) => state.captureId);
  const fromFile = useTabState((state) => state.profile?.diagnostics) ?? [];
  const capture = useWorkbenchState((state) => state.captures?.find((one) => one.id === captureId) ?? null);
  const fromCapture: readonly Diagnostic[] = capture?.diagnostics ?? [];
  const { showDialog, store } = useWorkbench();
  const tab = useProfileTab();
  const format = useTabState((state) => state.profile?.metadata.format ?? null);
  const readByPerf = (code: string): (() => void) | null => {
    const source = canPerfResolve(code, format) ? perfSourceOf(tab, store.get().captures) : null;
    if (source === null) return null;
    return () => showDialog({ kind: 'read-by-perf', source });
  };
  const profile = useTabState((state) => state.profile);
  const targets = useWorkbenchState((state) => state.targets?.targets) ?? NO_TARGETS;
  const quality = tabQuality(profile, capture);
  const again = capture === null ? null : recordAgain(capture, targets);
  const warning = useQualityWarning(tab);
  const isClean = quality === null || (quality.grade === 'good' && warning === null);
  if (fromFile.length + fromCapture.length === 0 && isClean) {
    return (
      <div className="diagnostics">
        <p className="panel-hint">No problems: every line was read and nothing was lost.</p>
        <ReceiptLines receipt={profile?.receipt} />
        <CaptureFactsPanel profile={profile} capture={capture} />
      </div>
    );
  }
  // The file repeats the recording's diagnostics about names and stacks.
  const said = new Set(fromCapture.map(({ code }) => code));
  return (
    <div className="diagnostics">
      {quality !== null && (
        <p className="quality">
          {warning === null ? `Quality ${describeQuality(quality)}` : warning.sentence}{' '}
          {(warning?.remedy ?? null) !== null && <span className="dim">{warning!.remedy}</span>}
          {again !== null && <Button onClick={() => showDialog(again.dialog)}>{again.label}</Button>}
        </p>
      )}
      <DiagnosticList title="Recording" rows={fromCapture} readByPerf={readByPerf} />
      <DiagnosticList title="File" rows={fromFile.filter(({ code }) => !said.has(code))} readByPerf={readByPerf} />
      <ReceiptLines receipt={profile?.receipt} />
      <CaptureFactsPanel profile={profile} capture={capture} />
    </div>
  );
}

/** What was read of the file, by count. The diagnostics say which parts were skipped and why. */
function ReceiptLines({ receipt }: { receipt: Receipt | undefined }): ReactElement | null {
  if (receipt === undefined) return null;
  return (
    <section>
      <h3>Receipt</h3>
      {receiptLines(receipt).map((line) => (
        <p key={line}>{visibleText(line)}</p>
      ))}
    </section>
  );
}

interface DiagnosticListProps {
  readonly title: string;
  readonly rows: readonly Diagnostic[];
  /** Returns the action by a diagnostic's code; null if reading with perf would not help. */
  readonly readByPerf: (code: string) => (() => void) | null;
}

function DiagnosticList({ title, rows, readByPerf }: DiagnosticListProps): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
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
              {row.severity === 'warning' && <FailureHelp code={row.code} />}
              <ReadByPerfButton open={readByPerf(row.code)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReadByPerfButton({ open }: { open: (() => void) | null }): ReactElement | null {
  if (open === null) return null;
  return <Button onClick={open}>Read with perf…</Button>;
}
