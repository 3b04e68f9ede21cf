import { useMemo, useState, useEffect, type ReactElement } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { WeightFormat } from '../../ui/flame/graph.types.ts';
import { useTabState, useView, useViewState } from '../../state/profile/context.ts';
import { CodePane } from './code-pane.tsx';
import { LookUpLines } from './look-up-lines.tsx';
import { SourceNote } from './source-note.tsx';
import { lineTable, type LineWeight } from '../../ui/source/source-rows.ts';
import { useSourceText, type TextState } from './use-source-text.ts';
import { NO_SOURCE_LINES } from '#core/analyze/tables/source-lines.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { Button } from '../../ui/buttons.tsx';
import { takeAnswer } from '../../ui/take-answer.ts';

interface LinesViewProps {
  readonly func: FunctionIndex;
  /** Total of the function in the view, for shares. */
  readonly total: number;
  readonly weights: WeightFormat;
  readonly onInstructions: () => void;
}

/** The weight of each source line of a function, in the source text if available. */
export function LinesView({ func, total, weights, onInstructions }: LinesViewProps): ReactElement {
  const state = useSourceLines(func);
  const rows = state.status === 'ready' ? state.rows : null;
  const files = useMemo(() => (rows === null ? [] : lineFiles(rows)), [rows]);
  const [chosen, choose] = useState<string | null>(null);
  if (state.status === 'failed')
    return <SourceNote kind="warn" lines={[state.problem.message, state.problem.remedy]} />;
  if (state.status === 'loading') return <p className="panel-hint">Weighing lines…</p>;
  const file = files.find(({ name }) => name === chosen) ?? files[0];
  if (file === undefined) return <p className="panel-hint">The function is not in this view.</p>;
  if (!files.some(({ hasLines, name }) => hasLines || name !== '')) return <NoLines onInstructions={onInstructions} />;
  return (
    <>
      {files.length > 1 && <FileSelect files={files} value={file} onChange={choose} />}
      <FileLines key={file.name} file={file} total={total} weights={weights} />
    </>
  );
}

function NoLines({ onInstructions }: Pick<LinesViewProps, 'onInstructions'>): ReactElement {
  const captureId = useTabState((state) => state.captureId);
  return (
    <SourceNote
      kind="info"
      lines={[
        NO_SOURCE_LINES,
        'pprof profiles contain source lines if the program has debug information; perf script text does with -F +srcline. For a capture recorded on this machine, Flamebench can resolve them.',
      ]}
    >
      {captureId !== null && <LookUpLines captureId={captureId} />}
      <Button onClick={onInstructions}>Show instructions</Button>
    </SourceNote>
  );
}

interface FileSelectProps {
  readonly files: readonly LineFile[];
  readonly value: LineFile;
  readonly onChange: (name: string) => void;
}

function FileSelect({ files, value, onChange }: FileSelectProps): ReactElement {
  return (
    <div className="source-bar">
      <select aria-label="File" value={value.name} onChange={(event) => onChange(event.currentTarget.value)}>
        {files.map(({ name }) => (
          <option key={name} value={name}>
            {name === '' ? '(unknown file)' : shortenMiddle(visibleText(name), 80)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FileLinesProps {
  readonly file: LineFile;
  readonly total: number;
  readonly weights: WeightFormat;
}

function FileLines({ file, total, weights }: FileLinesProps): ReactElement {
  const captureId = useTabState((state) => state.captureId);
  const text = useSourceText(captureId === null ? null : { captureId, func: file.func }, file.name);
  const lines = text.status === 'ready' ? text.text.lines : null;
  const table = useMemo(() => lineTable(file.lines, lines, total, weights), [file, lines, total, weights]);
  return (
    <>
      <TextNote state={text} />
      <CodePane label="Source lines" table={table} caption={file.name === '' ? '(unknown file)' : file.name} />
    </>
  );
}

function TextNote({ state }: { state: TextState }): ReactElement | null {
  switch (state.status) {
    case 'loading':
      return null;
    case 'ready':
      return state.text.warnings.length === 0 ? null : <SourceNote kind="warn" lines={state.text.warnings} />;
    case 'asks':
      return (
        <SourceNote kind="info" lines={[state.problem.message, state.problem.remedy]}>
          <Button onClick={state.allow}>Show source of this {state.what}</Button>
        </SourceNote>
      );
    case 'refused':
      return <SourceNote kind="info" lines={[state.problem.message, state.problem.remedy]} />;
  }
}

interface LineFile {
  readonly name: string;
  /** A function in the file. */
  readonly func: FunctionIndex;
  readonly lines: readonly LineWeight[];
  /** True if any line number is known. */
  readonly hasLines: boolean;
}

/** Returns files ordered by weight, heaviest first. */
export function lineFiles(rows: SourceLineRows): LineFile[] {
  const files = rows.files.map((name, file) => {
    const own = [...rows.file.keys()].filter((row) => rows.file[row] === file);
    const lines = own.map((row) => ({ line: rows.line[row]!, self: rows.self[row]!, total: rows.total[row]! }));
    const func = rows.func[own[0]!]! as FunctionIndex;
    return { name, func, lines, hasLines: lines.some(({ line }) => line > 0) };
  });
  const weight = ({ lines }: LineFile): number => lines.reduce((sum, { self, total }) => sum + self + total, 0);
  return files.sort((a, b) => weight(b) - weight(a));
}

type LinesState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly rows: SourceLineRows }
  | { readonly status: 'failed'; readonly problem: Problem };

const LOADING: LinesState = { status: 'loading' };

/** Returns the lines of a function in the current view. */
function useSourceLines(func: FunctionIndex): LinesState {
  const { ask } = useView();
  const revision = useViewState((state) => state.analysis?.revision) ?? null;
  const [answer, setAnswer] = useState<{ key: string; state: LinesState } | null>(null);
  const key = `${revision ?? ''} ${func}`;

  useEffect(() => {
    if (revision === null) return undefined;
    return takeAnswer(
      ask('source-lines', { revision, func }),
      (rows) => setAnswer({ key, state: { status: 'ready', rows } }),
      (error) => setAnswer({ key, state: { status: 'failed', problem: toProblem(error) } }),
    );
  }, [ask, revision, func, key]);

  return answer?.key === key ? answer.state : LOADING;
}
