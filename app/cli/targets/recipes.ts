import type { Command } from 'commander';
import { RECIPES } from '#core/contract/recipes.ts';
import type { Check } from '#core/contract/schemas.ts';
import { recipesOn } from '#collectors/recipes-on.ts';
import { TARGET_OPTION, withTargets } from './cli-targets.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { csvOption, printCsv } from '../output/csv-rows.ts';
import { jsonText } from '../output/json-text.ts';
import { fitTable, shortened } from '../output/fit-table.ts';
import { print, terminalWidth } from '../output/terminal.ts';

interface RecipesFlags {
  readonly target: string;
  readonly json?: true;
  readonly csv?: true;
}

export const recipesCommand: CliCommand = {
  configure(command: Command): void {
    command
      .option(...TARGET_OPTION)
      .option('--json', 'print JSON')
      .addOption(csvOption());
  },

  async run(command: Command): Promise<ExitCode> {
    const { target: name, json, csv } = command.opts<RecipesFlags>();
    return withTargets(async (targets) => {
      const id = await targets.resolveOne(name);
      const found = await recipesOn(await targets.open(id));
      if (json === true) {
        const recipes = found.map(({ recipe, checks }) => {
          const { label, question, valueType } = RECIPES[recipe];
          return { id: recipe, label, question, valueType, checks };
        });
        print(jsonText({ target: id, recipes }));
        return ExitCode.ok;
      }
      const rows = found.map(({ recipe, checks }) => {
        const { question, valueType } = RECIPES[recipe];
        const shown = ({ status, found: what }: Check): string => (status === 'ok' ? 'works' : what);
        return { recipe, question, valueType, bpftrace: shown(checks.bpftrace), stap: shown(checks.stap) };
      });
      if (csv === true) {
        const lines = rows.map((row) => ({ ...row, 'value type': row.valueType.type }));
        printCsv(['recipe', 'question', 'value type', 'bpftrace', 'stap'], lines);
        return ExitCode.ok;
      }
      const cellsOf = (read: (row: (typeof rows)[number]) => string): string[] =>
        rows.map((row) => escapeControls(read(row)));
      const columns = [
        { title: 'recipe', cells: cellsOf(({ recipe }) => recipe) },
        shortened(
          'answers',
          cellsOf(({ question }) => question),
        ),
        { title: 'value type', cells: cellsOf(({ valueType: { type, unit } }) => `${type} (${unit})`), leaves: 1 },
        { title: 'bpftrace', cells: cellsOf(({ bpftrace }) => bpftrace), leaves: 3 },
        { title: 'SystemTap', cells: cellsOf(({ stap }) => stap), leaves: 2 },
      ];
      for (const line of fitTable(columns, terminalWidth())) print(`${line}\n`);
      const lacking = found.flatMap(({ checks }) => Object.values(checks)).filter(({ status }) => status !== 'ok');
      const remedies = new Set(lacking.flatMap(({ remedy }) => remedy ?? []));
      for (const remedy of remedies) print(`→ ${escapeControls(remedy)}\n`);
      return ExitCode.ok;
    });
  },
};
