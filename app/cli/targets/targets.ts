import type { Command } from 'commander';
import { targetNameSchema, type TargetList, type TargetRow } from '#core/contract/target.ts';
import { fitTable, shortened } from '../output/fit-table.ts';
import { idNamed, withTargets, type CliTargets } from './cli-targets.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { csvOption, printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { asLines, print, terminalWidth } from '../output/terminal.ts';

interface Flags {
  readonly json?: true;
  readonly csv?: true;
}

export const targetsCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('[action]', 'list (the default), add or remove')
      .argument('[target]', 'for add and remove: ssh://[user@]host[:port], or a Host of ~/.ssh/config')
      .argument('[name]', 'for add: name of the target (default: the host as given)')
      .option('--json', 'print JSON')
      .addOption(csvOption())
      .addHelpText(
        'after',
        `
Hosts in ~/.ssh/config are targets already. Adding one does not connect; passwords are never stored.

  flamebench targets                                  lists all targets
  flamebench targets add ssh://ada@10.0.0.7:2222 web1
  flamebench record perf --target web1 --process nginx --seconds 10`,
      );
  },

  async run(command: Command): Promise<ExitCode> {
    const [action = 'list', what, name] = command.args;
    const flags = command.opts<Flags>();
    return withTargets(async (targets) => {
      if (action === 'list' && what === undefined) {
        await printList(targets, flags);
        return ExitCode.ok;
      }
      if (action !== 'add' && action !== 'remove') {
        throw usageError(
          action === 'list' ? `targets list: unexpected argument '${what}'` : `unknown action '${action}'`,
          'use list, add or remove',
        );
      }
      if (what === undefined) throw usageError(`targets ${action} needs a target`, 'flamebench targets lists them');
      if (action === 'remove' && name !== undefined) throw usageError(`targets remove: unexpected argument '${name}'`);
      try {
        if (action === 'add') await add(targets, what, name);
        else await remove(targets, what);
      } catch (error) {
        throw toCliError(error);
      }
      await printList(targets, flags);
      return ExitCode.ok;
    });
  },
};

function readName(text: string): string {
  const name = targetNameSchema.safeParse(text);
  if (name.success) return name.data;
  throw usageError('a target name has 1 to 100 characters and no control characters');
}

async function add(targets: CliTargets, word: string, name = word.replace(/^ssh:\/\//i, '')): Promise<void> {
  await targets.registry.save(await targets.resolveOne(word), readName(name));
}

async function remove({ registry }: CliTargets, word: string): Promise<void> {
  const list = await registry.list();
  const id = idNamed(word, list);
  if (id === null || !list.targets.some((row) => row.id === id && row.origin === 'saved')) {
    throw usageError(`${JSON.stringify(word)} is not an added target`, 'flamebench targets lists them');
  }
  await registry.remove(id);
}

async function printList({ registry }: CliTargets, { json, csv }: Flags): Promise<void> {
  const list = await registry.list();
  if (csv === true) printCsv(['id', 'name', 'origin', 'connectedAt'], toJson(list).targets);
  else print(json === true ? jsonText(toJson(list)) : describeList(list, terminalWidth()));
}

/**
 * Returns `{targets: [{id, name, origin, connectedAt}], notes}`; those of ~/.ssh/config have the origin `ssh-config`.
 */
const toJson = ({ targets, offered, notes }: TargetList) => ({
  targets: [
    ...targets.map(({ id, name, origin, connectedAt }) => ({ id, name, origin, connectedAt })),
    ...offered.map(({ id, name }) => ({ id, name, origin: 'ssh-config', connectedAt: null })),
  ],
  notes,
});

function describeList({ targets, offered, notes, unavailable }: TargetList, width: number): string {
  const rows = [
    ...targets.map((row) => [row.name, row.id, describeConnected(row)]),
    ...offered.map(({ id, name, hostName }) => [
      name,
      id,
      `from ~/.ssh/config${hostName === null || hostName === name ? '' : `: ${hostName}`}`,
    ]),
  ].map((cells) => cells.map(escapeControls));
  const cellsOf = (column: number): string[] => rows.map((cells) => cells[column]!);
  const columns = [
    shortened('name', cellsOf(0)),
    { title: 'target', cells: cellsOf(1), leaves: 2 },
    { title: 'connected', cells: cellsOf(2), leaves: 1 },
  ];
  const lines = [...fitTable(columns, width), ...[unavailable ?? [], notes].flat().map((note) => `note: ${note}`)];
  return asLines(lines);
}

function describeConnected({ origin, connectedAt }: TargetRow): string {
  if (origin === 'local') return 'this machine';
  return connectedAt === null
    ? 'never connected'
    : `last connected ${new Date(connectedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
