import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { Select } from '../../ui/fields/select.tsx';
import { bytes, clockTime, count, dateAndTime, day, oneDecimal } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { textColumn } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { Column, SortOrder } from '../../ui/table/table.types.ts';
import { belongsTo, processGroups, type ProcessGroup } from './process-groups.ts';
import type { ProcessList } from './use-processes.ts';

interface ProcessPickerProps {
  readonly list: ProcessList;
  readonly chosen: ProcessRow | null;
  readonly onChoose: (process: ProcessRow) => void;
}

const BUSIEST_FIRST: SortOrder = { column: 'cpu', direction: 'descending' };

/**
 * A list to filter, sort and choose a process. When the list refreshes, the selection follows the process, not the row.
 */
export function ProcessPicker({ list, chosen, onChoose }: ProcessPickerProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const [groupKey, setGroupKey] = useState(ALL);
  const groups = useMemo(() => processGroups(list.rows ?? []), [list.rows]);
  // A group that has ended no longer hides the others.
  const group = groups.find(({ key }) => key === groupKey) ?? null;
  const rows = useMemo(
    () => (list.rows ?? []).filter((row) => group === null || belongsTo(row, group)).sort((a, b) => a.pid - b.pid),
    [list.rows, group],
  );
  const columns = useMemo(() => processColumns(rows), [rows]);
  const at = chosen === null ? -1 : rows.findIndex((row) => isSameProcess(row, chosen));
  useEffect(() => {
    box.current?.querySelector('input')?.focus();
  }, []);
  return (
    <div className="process-picker" ref={box}>
      {list.problem !== null && <ProblemView problem={list.problem} />}
      {groups.length > 0 && (
        <label className="process-group">
          Belongs to
          <Select
            value={group?.key ?? ALL}
            options={[
              { value: ALL, label: `any (${count(list.rows?.length ?? 0)} processes)` },
              ...groups.map((one) => ({ value: one.key, label: groupText(one), heading: HEADINGS[one.kind] })),
            ]}
            onChange={setGroupKey}
          />
        </label>
      )}
      <div className="process-table">
        <DataTable
          label="Processes"
          rowNoun="processes"
          rowCount={rows.length}
          {...(list.rows === null && { emptyText: list.problem === null ? 'Listing processes…' : '' })}
          columns={columns}
          initialSort={BUSIEST_FIRST}
          selectedRow={at < 0 ? null : at}
          keepScroll
          onSelectRow={(row) => onChoose(rows[row]!)}
        />
      </div>
    </div>
  );
}

/** Not the key of a group. */
const ALL = '';

const HEADINGS = { container: 'Containers', pod: 'Pods', unit: 'Units' } as const;

/** Returns `web · nginx:1.27 · 5 processes · 88.1 %`. */
const groupText = ({ name, image, count: processes, cpuPercent }: ProcessGroup): string =>
  [
    visibleText(name.slice(0, 80)),
    ...(image === null ? [] : [visibleText(image.slice(0, 80))]),
    `${count(processes)} ${processes === 1 ? 'process' : 'processes'}`,
    `${oneDecimal(cpuPercent)} %`,
  ].join(' · ');

/** Compares more than the PID, which may have been reused. */
export function isSameProcess(a: ProcessRow, b: ProcessRow): boolean {
  return a.pid === b.pid && a.startTicks === b.startTicks;
}

/** Number of digits of the largest PID; texts of equal width sort like numbers and can be filtered. */
const PID_DIGITS = 7;

/** Widths that differ from the default. */
const NUMBER_WIDTHS: ReadonlyMap<string, number> = new Map([
  ['threads', 78],
  ['started', 140],
]);

/** Maximum length of a command line shown. */
const MAX_TEXT = 2000;

export function processColumns(rows: readonly ProcessRow[]): Column[] {
  const text = (id: string, header: string, width: number, read: (row: ProcessRow) => string | null): Column =>
    textColumn(id, header, width, (row) => visibleText((read(rows[row]!) ?? '').slice(0, MAX_TEXT)), {
      // Names are 15 letters at most.
      minWidth: id === 'name' ? 130 : 44,
      mono: id === 'pid' || id === 'inner-pid' || id === 'command' || id === 'build-id',
      align: id === 'pid' || id === 'inner-pid' ? 'right' : 'left',
      filtered: true,
    });
  const number = (
    id: string,
    header: string,
    read: (row: ProcessRow) => number,
    format: (value: number) => string,
    exact = format,
  ): Column => ({
    kind: 'number',
    id,
    header,
    width: NUMBER_WIDTHS.get(id) ?? 84,
    minWidth: 56,
    value: (row) => read(rows[row]!),
    format,
    exact,
  });
  /** Returns a column that is shown only if a process has a value. */
  const whereKnown = (...[id, header, width, read]: Parameters<typeof text>): Column[] =>
    rows.some((row) => read(row) !== null) ? [text(id, header, width, read)] : [];
  return [
    text('name', 'Name', 140, (row) => row.name),
    text('pid', 'PID', 76, (row) => String(row.pid).padStart(PID_DIGITS)),
    text('user', 'User', 86, (row) => row.user),
    ...whereKnown('container', 'Container', 130, (row) => row.containerName ?? row.container),
    ...whereKnown('image', 'Image', 130, (row) => row.image),
    ...whereKnown('pod', 'Pod', 130, (row) => row.pod),
    ...whereKnown('unit', 'Unit', 120, (row) => row.unit),
    ...whereKnown('inner-pid', 'Inner PID', 86, (row) =>
      row.innerPid === null || row.innerPid === row.pid ? null : String(row.innerPid).padStart(PID_DIGITS),
    ),
    number(
      'cpu',
      'CPU %',
      (row) => row.cpuPercent ?? Number.NaN,
      (value) => (Number.isNaN(value) ? '–' : oneDecimal(value)),
    ),
    number('rss', 'RSS', (row) => row.rssBytes, bytes),
    number('threads', 'Threads', (row) => row.threads, count),
    // Processes of one interpreter differ only in it.
    text('command', 'Command', 420, (row) => row.command),
    text('runtime', 'Runtime', 78, (row) => row.runtime),
    number(
      'started',
      'Started',
      (row) => row.startedAt,
      (at) => `${day(at)}, ${clockTime(at)}`,
      dateAndTime,
    ),
    text('executable', 'Executable', 180, (row) => row.executable),
    text('build-id', 'Build-id', 110, (row) => row.buildId),
  ];
}
