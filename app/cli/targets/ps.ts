import type { Command } from 'commander';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { formatValue } from '#core/units/format.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import { alignColumns } from '../output/align-columns.ts';
import { withTargets } from './cli-targets.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { captureError } from '../errors.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { jsonText } from '../output/json-text.ts';
import { print, terminalWidth } from '../output/terminal.ts';

interface PsFlags {
  readonly target: string;
  readonly filter?: string;
  readonly json?: true;
}

export const psCommand: CliCommand = {
  configure(command: Command): void {
    command
      .option('--target <target>', 'where: ssh://[user@]host[:port], or a name from flamebench targets', 'local')
      .option('--filter <text>', 'only processes whose name, command, user, container, runtime or PID contains this')
      .option('--json', 'print JSON');
  },

  async run(command: Command): Promise<ExitCode> {
    const { target: name, filter = '', json } = command.opts<PsFlags>();
    return withTargets(async (targets) => {
      const [id = name] = await targets.resolve([name]);
      const target = await targets.open(id);
      if ((await target.stat('/proc/stat')) === null) {
        throw captureError('processes can be listed on Linux only', 'name a Linux machine with --target');
      }
      const processes = (await listProcesses(target)).filter((row) => matches(row, filter.toLowerCase()));
      print(json === true ? jsonText({ target: id, processes }) : printTable(processes));
      return ExitCode.ok;
    });
  },
};

function matches({ pid, name, command, user, container, runtime }: ProcessRow, text: string): boolean {
  return [String(pid), name, command, user, container, runtime].some((part) => part?.toLowerCase().includes(text));
}

const TITLES = ['PID', 'USER', 'CPU %', 'RSS', 'THREADS', 'STARTED (UTC)', 'RUNTIME', 'CONTAINER'];

/** Busiest first. The command stands last, cut at the width of the terminal where there is one. */
function printTable(rows: readonly ProcessRow[]): string {
  const cells = rows.map((row) =>
    [
      String(row.pid),
      row.user,
      row.cpuPercent === null ? '' : row.cpuPercent.toFixed(1),
      formatValue(row.rssBytes, 'bytes'),
      String(row.threads),
      new Date(row.startedAt).toISOString().slice(0, 16).replace('T', ' '),
      row.runtime ?? '',
      row.container ?? '',
    ].map(escapeControls),
  );
  const commands = ['COMMAND', ...rows.map(({ command }) => escapeControls(command))];
  const width = terminalWidth();
  const lines = alignColumns(TITLES, cells).map((line, index) => `${line}  ${commands[index]}`.slice(0, width));
  return lines.map((line) => `${line}\n`).join('');
}
