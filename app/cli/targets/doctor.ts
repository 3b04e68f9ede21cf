import type { Command } from 'commander';
import { failurePage } from '#core/contract/failure-pages.ts';
import type { Check } from '#core/contract/schemas.ts';
import { runDoctor, unreachable } from '#collectors/doctor.ts';
import type { Target } from '#collectors/target/target.ts';
import { TARGET_OPTION, withTargets, type CliTargets } from './cli-targets.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { CliError } from '../errors.ts';
import { csvOption, printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { asLines, print } from '../output/terminal.ts';
import { readPid } from '../option-values.ts';
import type { Paints } from '../output/colour.ts';

interface DoctorFlags {
  readonly target: string;
  readonly pid?: number;
  readonly json?: true;
  readonly csv?: true;
}

export const doctorCommand: CliCommand = {
  configure(command: Command): void {
    command
      .option(...TARGET_OPTION)
      .option('--pid <pid>', 'also record this process briefly and report the expected quality', readPid)
      .option('--json', 'print JSON')
      .addOption(csvOption());
  },

  async run(command: Command): Promise<ExitCode> {
    const { target: name, pid, json, csv } = command.opts<DoctorFlags>();
    return withTargets(async (targets) => {
      const id = await targets.resolveOne(name);
      const checks: Check[] = [];
      for await (const check of openAndCheck(targets, id, pid ?? null)) {
        checks.push(check);
        if (json !== true && csv !== true) print(describeCheck(check), STATUSES);
      }
      if (json === true) print(jsonText({ target: id, checks }));
      if (csv === true) printCsv(['id', 'status', 'found', 'remedy'], checks);
      return ExitCode.ok;
    });
  },
};

/** Yields the doctor's checks of a target; an unreachable host is itself a finding. */
async function* openAndCheck(targets: CliTargets, id: string, pid: number | null): AsyncGenerator<Check> {
  let target: Target;
  try {
    target = await targets.open(id);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    yield unreachable(error.message, error.remedy);
    return;
  }
  yield* runDoctor(target, pid);
}

const STATUSES: Paints = [
  [/^ok {6}/, 'green'],
  [/^(?:warning|unknown|absent) /, 'yellow'],
  [/^failed /, 'red'],
];

const MARKS: Readonly<Record<Check['status'], string>> = {
  ok: 'ok      ',
  absent: 'absent  ',
  warning: 'warning ',
  failed: 'failed  ',
  unknown: 'unknown ',
};

function describeCheck({ id, status, found, remedy }: Check): string {
  const page = status === 'failed' || status === 'warning' ? failurePage(id) : null;
  const lines = [
    `${MARKS[status]} ${id}: ${found}`,
    ...(remedy === null ? [] : [`          → ${remedy}`]),
    ...(page === null ? [] : [`          more: flamebench help ${page}`]),
  ];
  return asLines(lines);
}
