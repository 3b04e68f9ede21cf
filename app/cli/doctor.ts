import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Check } from '#core/contract/schemas.ts';
import { runDoctor } from '#collectors/doctor.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { ExitCode, type CliCommand } from './command.ts';
import { usageError } from './errors.ts';
import { escapeControls } from './escape-controls.ts';

interface DoctorFlags {
  readonly target: string;
  readonly pid?: number;
  readonly json?: true;
}

export const doctorCommand: CliCommand = {
  configure(command: Command): void {
    command
      .option('--target <target>', 'where to look', 'local')
      .option('--pid <pid>', 'also record this process for a second and say how good it would be', parsePid)
      .option('--json', 'print JSON');
  },

  async run(command: Command): Promise<ExitCode> {
    const { target: name, pid, json } = command.opts<DoctorFlags>();
    if (name !== 'local') throw usageError(`can't look at ${JSON.stringify(name)}`, 'this version looks at: local');
    const target = createLocalTarget();
    const checks: Check[] = [];
    try {
      for await (const check of runDoctor(target, pid ?? null)) {
        checks.push(check);
        if (json !== true) process.stdout.write(describeCheck(check));
      }
    } finally {
      await target.dispose();
    }
    if (json === true) process.stdout.write(`${JSON.stringify({ target: name, checks }, null, 2)}\n`);
    return ExitCode.ok;
  },
};

const MARKS: Readonly<Record<Check['status'], string>> = {
  ok: 'ok      ',
  warning: 'warning ',
  failed: 'failed  ',
  unknown: 'unknown ',
};

function describeCheck({ id, status, found, remedy }: Check): string {
  const lines = [`${MARKS[status]} ${id}: ${found}`, ...(remedy === null ? [] : [`          → ${remedy}`])];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
}

function parsePid(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes the number of a process.');
}
