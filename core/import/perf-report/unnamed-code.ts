import type { Branch, ReportRow } from './call-graph.ts';

/** An address without a symbol, with the module of a row. */
export const ADDRESS = /^0x0*([0-9a-f]{1,16})(?: \((.*)\))?$/;

/**
 * Gives code without a symbol one name: its place in memory, as call graphs have it, becomes that in its module, as its
 * row has it. They are in the same place of a page, and a row's function begins or ends each path of its graph.
 */
export function nameByRows(rows: readonly ReportRow[]): void {
  const named = new Map<string, string>();
  const inPage = (name: string): string => ADDRESS.exec(name)?.[1]?.padStart(3, '0').slice(-3) ?? name;
  for (const { symbol, branches } of rows) {
    if (!ADDRESS.test(symbol)) continue;
    const ends = [branches.map(({ names }) => names[0]!), lastNames(branches)].flat();
    for (const name of ends) if (ADDRESS.test(name) && inPage(name) === inPage(symbol)) named.set(name, symbol);
  }
  if (named.size === 0) return;
  const waiting = rows.flatMap(({ branches }) => branches);
  for (let branch = waiting.pop(); branch !== undefined; branch = waiting.pop()) {
    const { names } = branch;
    names.forEach((name, place) => (names[place] = named.get(name) ?? name));
    for (const below of branch.branches) waiting.push(below);
  }
}

function lastNames(branches: readonly Branch[]): string[] {
  const last: string[] = [];
  const waiting = [...branches];
  for (let branch = waiting.pop(); branch !== undefined; branch = waiting.pop()) {
    last.push(branch.names.at(-1)!);
    for (const below of branch.branches) waiting.push(below);
  }
  return last;
}
