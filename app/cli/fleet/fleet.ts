import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import type { Replicates } from '#app/engine/fleet/read-fleet.ts';
import { declareJudging } from '../diff/options.ts';
import { FORCE_OPTION, outputOption } from '../output/output-file.ts';
import { collect, rowsOption } from '../option-values.ts';
import { csvOption } from '../output/csv-rows.ts';
import { Option, type Command } from 'commander';
import {
  declareFilter,
  declareInit,
  declarePush,
  declareReceive,
  declareStore,
  declareTraceLog,
  declareType,
} from './options.ts';

interface FleetAction {
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  declare(command: Command): void;
  run(command: Command): Promise<ExitCode | void>;
}

const declareSelection = (command: Command): void => {
  declareStore(command);
  declareFilter(command);
  declareType(command);
};

const declareTable = (command: Command): void => {
  command.option('--json', 'print JSON').addOption(csvOption());
};

const declareMetric = (command: Command, metric: 'self' | 'total'): void => {
  command.addOption(
    new Option('--sort <column>', 'weight to judge and sort by').choices(['self', 'total']).default(metric),
  );
};

const replicatesOption = (choices: readonly Replicates[]): Option =>
  new Option('--replicates <what>', 'what is merged into one replicate').choices(choices).default('hosts');

const ACTIONS: readonly FleetAction[] = [
  {
    name: 'init',
    summary: 'create the empty tables of a fleet, or print the statements for a cluster of ClickHouse',
    example: 'flamebench fleet init --to clickhouse://localhost:8123/fleet --ttl 90',
    declare: declareInit,
    run: async (command) => (await import('./init.ts')).init(command),
  },
  {
    name: 'push',
    summary: 'add captures to a fleet, skipping those it already has',
    example: 'flamebench fleet push perf.data --to fleet.duckdb --service search --release 1.4.2',
    declare: declarePush,
    run: async (command) => (await import('./push.ts')).push(command),
  },
  {
    name: 'receive',
    summary: 'add OpenTelemetry profiles that arrive by OTLP/HTTP, until Ctrl-C',
    example: 'flamebench fleet receive --to fleet.duckdb',
    declare: declareReceive,
    run: async (command) => (await import('./receive.ts')).receive(command),
  },
  {
    name: 'list',
    summary: 'list releases with their hosts and captures, or the captures',
    example: 'flamebench fleet list --in fleet.duckdb --service search',
    declare(command) {
      declareStore(command);
      declareFilter(command);
      command.option('--captures', 'list the captures');
      declareTable(command);
    },
    run: async (command) => (await import('./list.ts')).list(command),
  },
  {
    name: 'top',
    summary: 'print the functions of all selected captures, merged',
    example: 'flamebench fleet top --in fleet.duckdb --release 1.4.2 --sort total',
    declare(command) {
      declareSelection(command);
      declareMetric(command, 'self');
      command.addOption(rowsOption('number'));
      declareTable(command);
    },
    run: async (command) => (await import('./merged.ts')).top(command),
  },
  {
    name: 'search',
    summary: 'find functions by part of their name, with the captures, hosts and releases that have them',
    example: 'flamebench fleet search parse --in fleet.duckdb',
    declare(command) {
      command.argument('<text>', 'part of the function’s name; upper and lower case are the same');
      declareSelection(command);
      command.addOption(rowsOption('number'));
      declareTable(command);
    },
    run: async (command) => (await import('./functions.ts')).search(command),
  },
  {
    name: 'history',
    summary: 'print a function’s share by release, and the first release in which it grew',
    example: 'flamebench fleet history parse_line --in fleet.duckdb --service search',
    declare(command) {
      command.argument('<function>', 'name, or a part of it that matches one function only');
      declareSelection(command);
      declareMetric(command, 'total');
      command.addOption(replicatesOption(['hosts', 'minutes']));
      declareTable(command);
    },
    run: async (command) => (await import('./history.ts')).history(command),
  },
  {
    name: 'diff',
    summary: 'compare two releases, or any two selections, with hosts or minutes as replicates',
    example: 'flamebench fleet diff --in fleet.duckdb --before release=1.4.1 --after release=1.4.2 --service search',
    declare(command) {
      command
        .option(
          '--before <field=value>',
          'captures of the before side: release=, host=, since=, until=… or a label (repeatable)',
          collect,
        )
        .option('--after <field=value>', 'captures of the after side (repeatable)', collect)
        .option('--captures <function>', 'list the captures by this function’s share instead: those that carry a delta')
        .addOption(replicatesOption(['hosts', 'minutes', 'captures']));
      declareSelection(command);
      declareJudging(command);
    },
    run: async (command) => (await import('./diff.ts')).diff(command),
  },
  {
    name: 'open',
    summary: 'write the merged profile of all selected captures to a file that Flamebench opens',
    example: 'flamebench fleet open --in fleet.duckdb --release 1.4.2 -o merged.flamebench',
    declare(command) {
      declareSelection(command);
      command
        .addOption(outputOption('file to write; its name tells the format', 'fleet.flamebench'))
        .option(...FORCE_OPTION);
    },
    run: async (command) => (await import('./merged.ts')).writeMerged(command),
  },
  {
    name: 'trace-log',
    summary: 'add the samples that a ClickHouse server took of its own queries to the library',
    example: 'flamebench fleet trace-log --in clickhouse://localhost:8123/system --query-id 2ac0…',
    declare: declareTraceLog,
    run: async (command) => (await import('./trace-log.ts')).traceLog(command),
  },
];

export const fleetCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('[action]')
      .action(() => undefined)
      .addHelpText('after', '\nflamebench fleet <action> --help shows the options of an action.');
    for (const action of ACTIONS) {
      const declared = command.command(action.name).description(action.summary);
      action.declare(declared);
      declared.addHelpText('after', `\nExample:\n  ${action.example}`);
    }
  },

  async run(parent: Command): Promise<ExitCode> {
    const [name] = parent.args;
    const action = ACTIONS.find((one) => one.name === name);
    const command = parent.commands.find((one) => one.name() === name);
    if (action === undefined || command === undefined) {
      const known = ACTIONS.map((one) => one.name).join(', ');
      throw usageError(name === undefined ? 'no action given' : `unknown action '${name}'`, `use ${known}`);
    }
    try {
      return (await action.run(command)) ?? ExitCode.ok;
    } catch (error) {
      throw toCliError(error);
    }
  },
};
