import type { Command } from 'commander';
import { RECIPES } from '#core/contract/recipes.ts';
import { recipesOn } from '#collectors/recipes-on.ts';
import { withTargets } from './cli-targets.ts';
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
      .option('--target <target>', 'where: ssh://[user@]host[:port], or a name from flamebench targets', 'local')
      .option('--json', 'print JSON')
      .addOption(csvOption());
  },

  async run(command: Command): Promise<ExitCode> {
    const { target: name, json, csv } = command.opts<RecipesFlags>();
    return withTargets(async (targets) => {
      const [id = name] = await targets.resolve([name]);
      const found = await recipesOn(await targets.open(id));
      if (json === true) {
        const recipes = found.map(({ recipe, checks }) => {
          const { label, question, valueType } = RECIPES[recipe];
          return { id: recipe, label, question, valueType, checks };
        });
        print(jsonText({ target: id, recipes }));
        return ExitCode.ok;
      }
      if (csv === true) {
        const lines = found.map(({ recipe, checks: { bpftrace, stap } }) => {
          const { question, valueType } = RECIPES[recipe];
          const [inBpftrace, inStap] = [bpftrace, stap].map(({ status, found: what }) =>
            status === 'ok' ? 'works' : what,
          );
          return { recipe, question, 'value type': valueType.type, bpftrace: inBpftrace!, stap: inStap! };
        });
        printCsv(['recipe', 'question', 'value type', 'bpftrace', 'stap'], lines);
        return ExitCode.ok;
      }
      const rows = found.map(({ recipe, checks }) => {
        const { question, valueType } = RECIPES[recipe];
        return [
          recipe,
          question,
          `${valueType.type} (${valueType.unit})`,
          ...[checks.bpftrace, checks.stap].map(({ status, found: what }) => (status === 'ok' ? 'works' : what)),
        ];
      });
      const cellsOf = (column: number): string[] => rows.map((cells) => escapeControls(cells[column]!));
      const columns = [
        { title: 'recipe', cells: cellsOf(0) },
        shortened('answers', cellsOf(1)),
        { title: 'value type', cells: cellsOf(2), leaves: 1 },
        { title: 'bpftrace', cells: cellsOf(3), leaves: 3 },
        { title: 'SystemTap', cells: cellsOf(4), leaves: 2 },
      ];
      for (const line of fitTable(columns, terminalWidth())) print(`${line}\n`);
      const lacking = found.flatMap(({ checks }) => Object.values(checks)).filter(({ status }) => status !== 'ok');
      const remedies = new Set(lacking.flatMap(({ remedy }) => remedy ?? []));
      for (const remedy of remedies) print(`→ ${escapeControls(remedy)}\n`);
      return ExitCode.ok;
    });
  },
};
