import { falsePositives, NOISES, power, PROGRAMS } from './false-positives.ts';

/**
 * Prints the tables of docs/comparing.md: `node tests/core/compare/simulate-grid.ts [comparisons per cell] [text]
 * [seed]`. `text` limits it to programs and noises whose names contain it; `power` prints only the power table. The
 * reported tables use a seed by which nothing was tuned. 1,000 comparisons per cell take about twenty minutes of one
 * processor.
 */
const comparisons = Number(process.argv[2] ?? 1000);
const only = process.argv[3] ?? '';
const seed = Number(process.argv[4] ?? 0);

const percent = (found: number, of: number): string => `${((100 * found) / of).toFixed(1)} %`;
const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

if (only !== 'power') printFalsePositives();
if (only === '' || only === 'power') printPower();

function printFalsePositives(): void {
  print('functions, samples', 'noise', 'n = 3', 'n = 5', 'n = 10');
  print('---', '---', '---', '---', '---');
  for (const [program, rates] of Object.entries(PROGRAMS)) {
    for (const [noise, options] of Object.entries(NOISES)) {
      if (!`${program} ${noise}`.includes(only)) continue;
      const cells = [3, 5, 10].map((captures) =>
        percent(falsePositives(options, rates, [captures, captures], comparisons, seed), comparisons),
      );
      print(program, noise, ...cells);
    }
  }
}

function printPower(): void {
  print('deviation', 'functions', '+10 %', '+20 %');
  print('---', '---', '---', '---');
  for (const deviation of [0.7, 1]) {
    for (const functions of [10, 20, 40, 100]) {
      const cells = [0.1, 0.2].map((change) =>
        percent(power({ deviation }, { functions, samples: 30 * 499, captures: 5, change }, comparisons), comparisons),
      );
      print(String(deviation), String(functions), ...cells);
    }
  }
}
