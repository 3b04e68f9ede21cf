import type { RecipeId, StackChoice } from '#core/contract/bpftrace.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import { RECIPES, stacksOf, type Recipe } from '#core/contract/recipes.ts';
import { fillTemplate, readScript } from '../read-script.ts';

const BODIES: Readonly<Record<RecipeId, string>> = {
  'on-cpu': readScript(new URL('./recipes/on-cpu.stp', import.meta.url)),
  'off-cpu': readScript(new URL('./recipes/off-cpu.stp', import.meta.url)),
  'wall-clock': readScript(new URL('./recipes/wall-clock.stp', import.meta.url)),
  'wake-ups': readScript(new URL('./recipes/wake-ups.stp', import.meta.url)),
  'system-calls': readScript(new URL('./recipes/system-calls.stp', import.meta.url)),
  'block-io': readScript(new URL('./recipes/block-io.stp', import.meta.url)),
  'page-faults': readScript(new URL('./recipes/page-faults.stp', import.meta.url)),
  latency: readScript(new URL('./recipes/latency.stp', import.meta.url)),
  allocations: readScript(new URL('./recipes/allocations.stp', import.meta.url)),
  lua: readScript(new URL('./recipes/lua.stp', import.meta.url)),
};

const KERNEL = 'user_mode() ? "" : backtrace()';
const STACKS: Readonly<Record<StackChoice, readonly [kernel: string, user: string]>> = {
  both: [KERNEL, 'ubacktrace()'],
  user: ['""', 'ubacktrace()'],
  kernel: [KERNEL, '""'],
  lua: ['""', '""'],
};

/** Maximum rows per second and threads per process. Rows beyond it are lost and counted. */
const MAP_ROWS = 4096;
const MAP_THREADS = 2048;
/** Functions of Lua and compiled traces that occur in a second. */
const MAP_NAMES = 4096;
/** Maximum frames of a stack. */
const DEPTH = 64;

/**
 * Limits of the module, which `stap -D` takes. Each frame of a stack is an address of 18 digits and a space in a
 * string. The actions of a probe include those that print a second's rows.
 */
export const LIMITS: Readonly<Record<string, number>> = {
  MAXSTRINGLEN: 1280,
  MAXBACKTRACE: DEPTH,
  MAXACTION: 100_000,
};

/** State of a task that has ended, as in linux/sched.h. */
const TASK_DEAD = 0x80;

/**
 * Returns the text that stap compiles. `binary` is the file that the recipe names.
 *
 * A recipe's row `RECORD[kernel, user, thread, …] += weight` goes into a map, which the process's next event prints and
 * clears once a second, because SystemTap names the functions of the process that runs at that time. A kill loses at
 * most a second. A line with the time ends them, which a live view needs. `total` sums all weights; what the rows lack
 * of it was lost because the map was full.
 *
 * If the reader of the output is gone, the script ends, and its probes with it. The reader is known by its task, because
 * a timer looks up PIDs in the container that it interrupts. The script also ends with the process: stap alone would go
 * on.
 */
export function stapScript(what: StapOptions['what'], binary: string | null): string {
  if (what.kind === 'script') return what.text;
  const recipe: Recipe = RECIPES[what.recipe];
  const [kernel, user] = STACKS[stacksOf(recipe, what.stacks)];
  // The first keys of each recipe are the process and the thread.
  const extra = recipe.keys.slice(2).map((_key, index) => `x${index}`);
  const isLua = recipe.binary === 'luajit';
  const keys = ['k', 'u', 't', ...extra, ...(isLua ? ['l'] : [])].join(', ');
  const template = BODIES[what.recipe]
    .replaceAll(/^\/\/.*\n/gm, '')
    .replaceAll(/^( *)RECORD\[(.*)\] \+= (.*)$/gm, recordAndPrint);
  const body = fillTemplate(template, {
    PRINT_IF_DUE,
    RATE_HZ: String(what.rateHz),
    KERNEL: kernel,
    USER: user,
    BINARY: quoted(binary ?? ''),
    FUNCTION: quoted(what.function ?? ''),
    THREADS: String(MAP_THREADS),
    NAMES: String(MAP_NAMES),
    DEPTH: String(DEPTH),
  });
  return [
    `global rows[${MAP_ROWS}], name[${MAP_THREADS}], total, in_kernel, due, began, began_cycles, reader, reader_pid`,
    'function print_rows() {',
    ...(isLua ? ['  foreach (f in lua_name) printf("lua %x %s\\n", f, lua_name[f])', '  delete lua_name'] : []),
    `  foreach ([${keys}] in rows) {`,
    '    println("kernel")',
    '    print_stack(k)',
    '    println("user")',
    '    print_ustack(u)',
    ...(isLua ? ['    printf("lua\\n%s\\n", l)'] : []),
    `    printf("row %d %d %d${' %d'.repeat(extra.length)} %s\\n", rows[${keys}], ${['target()', 't', ...extra, 'text_str(name[t])'].join(', ')})`,
    '  }',
    '  delete rows',
    '  printf("# flamebench printed at=%d\\n", ktime_get_ns())',
    '}',
    'probe begin {',
    '  began = ktime_get_ns()',
    '  reader = task_current()',
    '  reader_pid = task_pid(reader)',
    '  began_cycles = get_cycles()',
    `  printf("${headerOf(recipe, what.rateHz)} module=%s\\n", module_name())`,
    '}',
    body.trimEnd(),
    'probe timer.s(1) {',
    '  due = 1',
    `  try { if (task_pid(reader) != reader_pid || task_state(reader) & ${TASK_DEAD}) exit() } catch { exit() }`,
    '}',
    'probe process.end {',
    '  if (pid() == target()) exit()',
    '}',
    'probe end, error {',
    '  print_rows()',
    `  printf("# flamebench total=%d in_kernel=%d ${isLua ? 'in_lua=%d in_jit=%d unread=%d ' : ''}cycles=%d nanoseconds=%d\\n", total, in_kernel, ${isLua ? 'in_lua, in_jit, unread, ' : ''}get_cycles() - began_cycles, ktime_get_ns() - began)`,
    '}',
    '',
  ].join('\n');
}

/** Only a row of the running thread can print the rows. */
function recordAndPrint(_line: string, indent: string, key: string, weight: string): string {
  const isOwn = key.includes('tid()');
  const thread = isOwn ? 'tid()' : 'thread';
  return [
    `name[${thread}] = ${isOwn ? 'execname()' : 'task_execname($next)'}`,
    `total += ${weight}`,
    ...(key.startsWith('KERNEL') ? ['in_kernel += !user_mode()'] : []),
    `rows[${key}] += ${weight}`,
    ...(isOwn ? ['PRINT_IF_DUE'] : []),
  ]
    .map((line) => indent + line)
    .join('\n');
}

const PRINT_IF_DUE = 'if (due) { due = 0; print_rows() }';

/** Returns the line that core/import/stap reads. */
function headerOf({ valueType, keys, hasRate, binary }: Recipe, rateHz: number): string {
  return [
    '# flamebench stap',
    `type=${valueType.type}`,
    `unit=${valueType.unit}`,
    `stacks=kernel,user${binary === 'luajit' ? ',lua' : ''}`,
    `keys=${[...keys, 'comm'].join(',')}`,
    ...(hasRate ? [`rate=${rateHz}`] : []),
    `depth=${DEPTH}`,
  ].join(' ');
}

/** Quotes a text as a string of stap. The preflight refuses paths that can't be quoted; see {@link isQuotable}. */
const quoted = (text: string): string => `"${text}"`;

/** Returns whether a probe can name the path: stap reads `*`, `?`, `[…]` and `{…}` as patterns. */
export const isQuotable = (path: string): boolean => !/["\\\n\r*?[\]{}$]/.test(path) && path.startsWith('/');
