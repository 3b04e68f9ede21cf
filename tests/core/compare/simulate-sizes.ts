import { SIZE_CELLS, simulateCell } from './size-cells.ts';

/**
 * Prints the table of size factors in docs/comparing.md: `node tests/core/compare/simulate-sizes.ts [comparisons per
 * cell] [text of a cell] [seed]`. The reported table uses a seed by which nothing was tuned.
 */
const comparisons = Number(process.argv[2] ?? 400);
const only = process.argv[3] ?? '';
const seed = Number(process.argv[4] ?? 0);

const percent = (part: number): string => (100 * part).toFixed(0);
const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

print('cell', ...[3, 5].map((n) => `n = ${n}: any false %, false share %, found %; same, relative, unknown %`));
print('---', '---', '---');
for (const [name, cell] of Object.entries(SIZE_CELLS)) {
  if (!name.includes(only)) continue;
  const cells = [3, 5].map((captures) => {
    const { anyFalse, falseShare, found, status } = simulateCell(cell, captures, comparisons, seed + captures);
    const [same, relative] = [status.same, status.differs + status.undetermined];
    const of = [same, relative, status.unknown].map((count) => percent(count / comparisons)).join(', ');
    return `${percent(anyFalse / comparisons)}, ${percent(falseShare)}, ${percent(found / comparisons)}; ${of}`;
  });
  print(name, ...cells);
}
