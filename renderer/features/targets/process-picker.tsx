import { useEffect, useMemo, useRef } from 'react';
import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { bytes, count, dateAndTime, oneDecimal } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { Column, SortOrder } from '../../ui/table/table.types.ts';
import type { ProcessList } from './use-processes.ts';

interface ProcessPickerProps {
  readonly list: ProcessList;
  readonly chosen: ProcessRow | null;
  readonly onChoose: (process: ProcessRow) => void;
}

const BUSIEST_FIRST: SortOrder = { column: 'cpu', direction: 'descending' };

/** Filter, sort and choose a process. The choice follows the process, not the row, when the list refreshes. */
export function ProcessPicker({ list, chosen, onChoose }: ProcessPickerProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => [...(list.rows ?? [])].sort((a, b) => a.pid - b.pid), [list.rows]);
  const columns = useMemo(() => processColumns(rows), [rows]);
  const at = chosen === null ? -1 : rows.findIndex((row) => isSameProcess(row, chosen));
  useEffect(() => {
    box.current?.querySelector('input')?.focus();
  }, []);
  return (
    <div className="process-picker" ref={box}>
      {list.problem !== null && <ProblemView problem={list.problem} />}
      <div className="process-table">
        <DataTable
          label="Processes"
          rowNoun="processes"
          rowCount={rows.length}
          columns={columns}
          initialSort={BUSIEST_FIRST}
          selectedRow={at < 0 ? null : at}
          keepScroll
          onSelectRow={(row) => {
            onChoose(rows[row]!);
          }}
        />
      </div>
    </div>
  );
}

/** A PID alone is not enough: it may be another process's by now. */
export function isSameProcess(a: ProcessRow, b: ProcessRow): boolean {
  return a.pid === b.pid && a.startTicks === b.startTicks;
}

/** Digits of the largest PID; text of one width sorts as numbers do, and can be filtered. */
const PID_DIGITS = 7;

/** Of those that differ. */
const NUMBER_WIDTHS: ReadonlyMap<string, number> = new Map([
  ['threads', 78],
  ['started', 172],
]);

/** Other people's command lines can be of any length. */
const MAX_TEXT = 2000;

export function processColumns(rows: readonly ProcessRow[]): Column[] {
  const text = (id: string, header: string, width: number, read: (row: ProcessRow) => string | null): Column => ({
    kind: 'text',
    id,
    header,
    width,
    minWidth: id === 'name' ? 110 : 44,
    mono: id === 'pid' || id === 'command' || id === 'build-id',
    align: id === 'pid' ? 'right' : 'left',
    filtered: true,
    text: (row) => visibleText((read(rows[row]!) ?? '').slice(0, MAX_TEXT)),
  });
  const number = (
    id: string,
    header: string,
    read: (row: ProcessRow) => number,
    format: (value: number) => string,
  ): Column => ({
    kind: 'number',
    id,
    header,
    width: NUMBER_WIDTHS.get(id) ?? 84,
    minWidth: 56,
    value: (row) => read(rows[row]!),
    format,
  });
  return [
    text('name', 'Name', 140, (row) => row.name),
    text('pid', 'PID', 76, (row) => String(row.pid).padStart(PID_DIGITS)),
    text('user', 'User', 86, (row) => row.user),
    number(
      'cpu',
      'CPU %',
      (row) => row.cpuPercent ?? Number.NaN,
      (value) => (Number.isNaN(value) ? '–' : oneDecimal(value)),
    ),
    number('rss', 'RSS', (row) => row.rssBytes, bytes),
    number('threads', 'Threads', (row) => row.threads, count),
    number('started', 'Started', (row) => row.startedAt, dateAndTime),
    text('command', 'Command', 240, (row) => row.command),
    text('runtime', 'Runtime', 78, (row) => row.runtime),
    text('container', 'Container', 96, (row) => row.container?.slice(0, 12) ?? null),
    text('executable', 'Executable', 180, (row) => row.executable),
    text('build-id', 'Build-id', 110, (row) => row.buildId),
  ];
}
