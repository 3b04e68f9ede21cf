import type { Command } from 'commander';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { csvText } from '#core/export/csv-text.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import { bytesColumn } from '../output/bytes-column.ts';
import { fitTable, shortened, type TableColumn } from '../output/fit-table.ts';
import { TARGET_OPTION, withTargets } from './cli-targets.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { captureError } from '../errors.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { csvOption } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { print, printTable, terminalWidth } from '../output/terminal.ts';

interface PsFlags {
  readonly target: string;
  readonly filter?: string;
  readonly json?: true;
  readonly csv?: true;
}

export const psCommand: CliCommand = {
  configure(command: Command): void {
    command
      .option(...TARGET_OPTION)
      .option(
        '--filter <text>',
        'only processes with this in their name, command, user, container, image, pod, unit, runtime or PID',
      )
      .option('--json', 'print JSON')
      .addOption(csvOption());
  },

  async run(command: Command): Promise<ExitCode> {
    const { target: name, filter = '', json, csv } = command.opts<PsFlags>();
    return withTargets(async (targets) => {
      const id = await targets.resolveOne(name);
      const target = await targets.open(id);
      if ((await target.stat('/proc/stat')) === null) {
        throw captureError('processes can be listed on Linux only', 'name a Linux machine with --target');
      }
      const processes = (await listProcesses(target)).filter((row) => matches(row, filter.toLowerCase()));
      if (json === true) print(jsonText({ target: id, processes }));
      else if (csv === true) printTable(asCsv(processes));
      else print(tableOf(processes, terminalWidth()));
      return ExitCode.ok;
    });
  },
};

function matches(row: ProcessRow, text: string): boolean {
  const { pid, name, command, user, container, containerName, image, pod, unit, runtime } = row;
  const parts = [String(pid), name, command, user, container, containerName, image, pod, unit, runtime];
  return parts.some((part) => part?.toLowerCase().includes(text));
}

/** The groups that a process may belong to. */
const GROUPS: readonly (readonly [title: string, read: (row: ProcessRow) => string | null])[] = [
  ['Container', ({ container, containerName }) => containerName ?? container],
  ['Image', ({ image }) => image],
  ['Pod', ({ pod }) => pod],
  ['Unit', ({ unit }) => unit],
];

/** Columns shown only if a process has a value. */
const RARE: typeof GROUPS = [
  ['Inner PID', ({ pid, innerPid }) => (innerPid === null || innerPid === pid ? null : String(innerPid))],
  ...GROUPS,
];

const asCsv = (rows: readonly ProcessRow[]): string =>
  csvText(
    [],
    [
      { header: 'PID', cell: ({ pid }) => pid },
      { header: 'User', cell: ({ user }) => user },
      { header: 'CPU (%)', cell: ({ cpuPercent }) => cpuPercent ?? '' },
      { header: 'RSS (bytes)', cell: ({ rssBytes }) => rssBytes },
      { header: 'Threads', cell: ({ threads }) => threads },
      { header: 'Started', cell: ({ startedAt }) => new Date(startedAt).toISOString() },
      { header: 'Runtime', cell: ({ runtime }) => runtime ?? '' },
      { header: 'Inner PID', cell: ({ innerPid }) => innerPid ?? '' },
      ...GROUPS.map(([header, read]) => ({ header, cell: (row: ProcessRow) => read(row) ?? '' })),
      { header: 'Command', cell: ({ command }) => command },
    ],
    rows,
  );

/** Lists processes, busiest first. The command comes last, in the width that is left. */
function tableOf(rows: readonly ProcessRow[], width: number): string {
  const groups = RARE.filter(([, read]) => rows.some((row) => read(row) !== null));
  const sizes = bytesColumn(rows.map(({ rssBytes }) => rssBytes));
  const cellsOf = (read: (row: ProcessRow) => string): string[] => rows.map((row) => escapeControls(read(row)));
  const column = (title: string, cells: readonly string[], leaves?: number): TableColumn => ({
    title: title.toUpperCase(),
    cells,
    align: 'right',
    ...(leaves === undefined ? {} : { leaves }),
  });
  const started = ({ startedAt }: ProcessRow): string =>
    new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ');
  const columns = [
    column(
      'PID',
      cellsOf(({ pid }) => String(pid)),
    ),
    column(
      'User',
      cellsOf(({ user }) => user),
      6,
    ),
    column(
      'CPU %',
      cellsOf(({ cpuPercent }) => cpuPercent?.toFixed(1) ?? ''),
    ),
    column('RSS', sizes, 5),
    column(
      'Threads',
      cellsOf(({ threads }) => String(threads)),
      2,
    ),
    column('Started (UTC)', cellsOf(started), 1),
    column(
      'Runtime',
      cellsOf(({ runtime }) => runtime ?? ''),
      3,
    ),
    ...groups.map(([title, read]) =>
      column(
        title,
        cellsOf((row) => read(row) ?? ''),
        4,
      ),
    ),
    shortened(
      'COMMAND',
      cellsOf(({ command }) => command),
    ),
  ];
  return fitTable(columns, width)
    .map((line) => `${line}\n`)
    .join('');
}
