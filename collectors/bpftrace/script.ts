import type { BpftraceOptions, RecipeId, StackChoice } from '#core/contract/bpftrace.ts';
import { RECIPES, stacksOf, type Recipe } from '#core/contract/recipes.ts';
import { fillTemplate, readScript } from '../read-script.ts';

/** Only SystemTap has the recipe `lua`. */
const BODIES: Readonly<Record<RecipeId, string>> = {
  'on-cpu': readScript(new URL('./recipes/on-cpu.bt', import.meta.url)),
  'off-cpu': readScript(new URL('./recipes/off-cpu.bt', import.meta.url)),
  'wall-clock': readScript(new URL('./recipes/wall-clock.bt', import.meta.url)),
  'wake-ups': readScript(new URL('./recipes/wake-ups.bt', import.meta.url)),
  'system-calls': readScript(new URL('./recipes/system-calls.bt', import.meta.url)),
  'block-io': readScript(new URL('./recipes/block-io.bt', import.meta.url)),
  'page-faults': readScript(new URL('./recipes/page-faults.bt', import.meta.url)),
  latency: readScript(new URL('./recipes/latency.bt', import.meta.url)),
  allocations: readScript(new URL('./recipes/allocations.bt', import.meta.url)),
  lua: '',
};

const STACKS: Readonly<Record<StackChoice, string>> = {
  both: 'kstack(perf), ustack(perf)',
  user: 'ustack(perf)',
  kernel: 'kstack(perf)',
  lua: '',
};

/**
 * Returns the text that bpftrace runs. `binary` is the file that the recipe names.
 *
 * A recipe's row `RECORD[key] = weight;` goes into one of two maps, which alternate every second. bpftrace prints and
 * clears the map that is not being filled, so no row is added in between, and a kill loses at most a second. When
 * interrupted, bpftrace drops pending work, so the end prints both maps again, and the turn's number shows whether a
 * map was already printed. `@total` sums all weights and is never cleared; what the rows lack of it was lost, because a
 * map was full or a second took longer to print.
 */
export function bpftraceScript(what: BpftraceOptions['what'], binary: string | null): string {
  if (what.kind === 'script') return what.text;
  const recipe: Recipe = RECIPES[what.recipe];
  const stacks = stacksOf(recipe, what.stacks);
  const template = BODIES[what.recipe]
    .replaceAll(/^\/\/.*\n/gm, '')
    .replaceAll(/^( *)RECORD\[(.*)\] = (.*);$/gm, recordInTurn);
  const helpers = [...new Set(template.match(/@[a-z]+/g))].filter((name) => !OWN_MAPS.includes(name));
  const body = fillTemplate(template, {
    RATE_HZ: String(what.rateHz),
    STACKS: STACKS[stacks],
    BINARY: quoted(binary ?? ''),
    FUNCTION: what.function ?? '',
  });
  return [
    `BEGIN { @start = nsecs; printf("${headerOf(recipe, stacks, what.rateHz)}\\n"); }`,
    body.trimEnd(),
    'interval:s:1 {',
    // This interval is the last probe to be attached, a second ago, so all probes are attached by now.
    '  if (@turn == 0) { @start = nsecs - 1000000000; }',
    '  @turn = @turn + 1;',
    `  ${printTurn('@turn - 1')}`,
    '  if (@turn & 1) { clear(@a); } else { clear(@b); }',
    '}',
    'END {',
    `  ${printTurn('@turn - 1')}`,
    `  ${printTurn('@turn')}`,
    '  print(@total);',
    '  printf("# flamebench nanoseconds=%llu\\n", nsecs - @start);',
    `  ${[...OWN_MAPS, ...helpers].map((name) => `clear(${name});`).join(' ')}`,
    '}',
    '',
  ].join('\n');
}

const OWN_MAPS = ['@a', '@b', '@total', '@turn', '@start'];

/** Prints a turn: even turns are in `@a`, odd ones in `@b`. The last line has the time, which a live view needs. */
const printTurn = (turn: string): string =>
  [
    `printf("# flamebench turn=%d\\n", ${turn});`,
    `if ((${turn}) & 1) { print(@b); } else { print(@a); }`,
    `printf("# flamebench printed=%d at=%llu\\n", ${turn}, nsecs);`,
  ].join(' ');

const recordInTurn = (_line: string, indent: string, key: string, weight: string): string =>
  [`if (@turn & 1) { @b[${key}] = ${weight}; } else { @a[${key}] = ${weight}; }`, `@total = ${weight};`]
    .map((line) => indent + line)
    .join('\n');

/** Returns the line from which core/import/bpftrace takes the format of the rows. */
function headerOf({ valueType, keys, hasRate }: Recipe, stacks: StackChoice, rateHz: number): string {
  return [
    '# flamebench map=a,b total=total',
    `type=${valueType.type}`,
    `unit=${valueType.unit}`,
    `stacks=${stacks === 'both' ? 'kernel,user' : stacks}`,
    `keys=${[...keys, 'comm'].join(',')}`,
    ...(hasRate ? [`rate=${rateHz}`] : []),
  ].join(' ');
}

/** Quotes a path as a bpftrace string. The preflight refuses paths that can't be quoted; see {@link isQuotable}. */
const quoted = (path: string): string => `"${path}"`;

export const isQuotable = (path: string): boolean => !/["\\\n\r*?[\]$]/.test(path) && path.startsWith('/');
