import { useState, type ReactElement } from 'react';
import { describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import { exporters } from '#core/export/registry.ts';
import { countOf, format } from '../../ui/format.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import { tabTitle, titleWithId } from '../../state/tab-title.ts';
import { useWorkbenchState } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import { download, exportFileName } from '../../state/transforms/export-file.ts';
import './export-dialog.css';
import { Button } from '../../ui/buttons.tsx';

interface ExportDialogProps {
  readonly tab: ProfileTab;
  readonly view: ProfileView;
  readonly onClose: () => void;
}

/** Exports a view: the selected samples, with transforms applied and named in the file. */
export function ExportDialog({ tab, view, onClose }: ExportDialogProps): ReactElement {
  const captures = useWorkbenchState((state) => state.captures);
  const [chosen, setChosen] = useState(exporters[0]!.id);
  const [writing, setWriting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** The losses of the written file. */
  const [losses, setLosses] = useState<readonly string[]>([]);
  const exporter = exporters.find(({ id }) => id === chosen)!;
  const write = async (): Promise<void> => {
    const client = view.client();
    if (client === null || writing) return;
    const { selection, transforms } = view.store.get();
    setWriting(true);
    setProblem(null);
    setLosses([]);
    try {
      const captureName = titleWithId(tab, captures);
      const { content, losses: lost } = await client.call('export', {
        format: chosen,
        selection,
        transforms,
        captureName,
      });
      download(content, exportFileName(tabTitle(tab, captures), exporter.extension, isWhole(view)));
      if (lost.length === 0) return onClose();
      setLosses(lost);
    } catch (error) {
      setProblem(toProblem(error));
    }
    setWriting(false);
  };
  return (
    <Dialog title="Export current view" className="export-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void write();
        }}
      >
        <div className="dialog-body">
          <fieldset className="format-list">
            <legend className="sr-only">Format</legend>
            {exporters.map(({ id, label, keeps, loses, oneValueType }) => (
              <div key={id} className="format-row">
                <input
                  type="radio"
                  id={`export-${id}`}
                  name="export-format"
                  aria-describedby={`export-${id}-says`}
                  checked={id === chosen}
                  onChange={() => setChosen(id)}
                />
                <label htmlFor={`export-${id}`}>{label}</label>
                <p id={`export-${id}-says`} className="dim">
                  {oneValueType || loses !== 'nothing'
                    ? `Keeps ${keeps}. Loses ${loses}.`
                    : 'Keeps everything in the current view; addresses and lines only without transforms.'}
                </p>
              </div>
            ))}
          </fieldset>
          <Summary view={view} />
          {problem !== null && <ProblemView problem={problem} />}
          {losses.length > 0 && (
            <p role="status">
              The file is written. What {exporter.label} can’t store: {losses.join('; ')}.
            </p>
          )}
        </div>
        <div className="dialog-actions">
          {writing && <progress className="progress" aria-label="Writing the file" />}
          <Button onClick={onClose}>{losses.length > 0 ? 'Close' : 'Cancel'}</Button>
          <Button type="submit" className="primary" disabled={writing}>
            Export
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function isWhole(view: ProfileView): boolean {
  const { selection, transforms } = view.store.get();
  return selection.threads === null && selection.timeRange === null && !transforms.some(({ enabled }) => enabled);
}

/** The description that the file will contain. */
function Summary({ view }: { view: ProfileView }): ReactElement {
  const selection = useStore(view.store, (state) => state.selection);
  const transforms = useStore(view.store, (state) => state.transforms);
  const analysis = useStore(view.store, (state) => state.analysis);
  const { valueTypes, threads } = view.profile;
  const { type, unit } = valueTypes[selection.valueType]!;
  const { timeRange } = selection;
  const chosen = selection.threads?.length ?? threads.length;
  const rows: [string, string][] = [
    ['Value type', unit === 'count' ? type : `${type}, ${unit}`],
    ['Threads', selection.threads === null ? `all ${format.number(chosen)}` : countOf(chosen, 'thread')],
    ['Time', timeRange === null ? 'all' : format.value(timeRange.end - timeRange.start, 'nanoseconds')],
  ];
  if (analysis !== null) {
    rows.push(['Total', format.value(analysis.total, unit)]);
    if (analysis.hidden > 0) rows.push(['Hidden by transforms', format.value(analysis.hidden, unit)]);
  }
  return (
    <div className="export-summary">
      <h3>The file names</h3>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
      {transforms.length > 0 && (
        <ol>
          {transforms.map((transform, index) => (
            <li key={`${index} ${JSON.stringify(transform)}`} className={transform.enabled ? 'mono' : 'mono dim'}>
              {describeTransform(transform)}
              {!transform.enabled && ' (off)'}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
