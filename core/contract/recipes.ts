import type { RecipeId, StackChoice } from './bpftrace.ts';

/** A question that stacks answer. Its scripts are `collectors/bpftrace/recipes/<id>.bt` and `collectors/stap/recipes/<id>.stp`. */
export interface Recipe {
  readonly label: string;
  /** The user's question. */
  readonly question: string;
  readonly valueType: { readonly type: string; readonly unit: string };
  /** Kernel events that must exist, as `system/event`. */
  readonly tracepoints: readonly string[];
  /** True if the recipe samples at a rate that the user chooses. */
  readonly hasRate: boolean;
  /** Kinds of stacks among which the user chooses, the default first; or the only kind. */
  readonly stacks: readonly StackChoice[];
  /** True if the recipe needs a function of a process. */
  readonly hasFunction: boolean;
  /** The file of the process whose symbols or types the script names; null: none. A recipe with one needs a process. */
  readonly binary: RecipeBinary | null;
  /** Why bpftrace does not have the recipe; null if it does. */
  readonly onlyStap: string | null;
  /** Numbers after the stacks of a row; see core/import/bpftrace. */
  readonly keys: readonly string[];
}

/** `allocator`: the library that defines `malloc`; `luajit`: what contains the Lua interpreter. */
export type RecipeBinary = 'executable' | 'allocator' | 'luajit';

const THREAD = ['pid', 'tid'];
const recipe = (
  label: string,
  question: string,
  type: string,
  unit: string,
  others: Partial<Omit<Recipe, 'label' | 'question' | 'valueType'>> = {},
): Recipe => ({
  label,
  question,
  valueType: { type, unit },
  tracepoints: [],
  hasRate: false,
  stacks: ['both'],
  hasFunction: false,
  binary: null,
  onlyStap: null,
  keys: THREAD,
  ...others,
});

export const RECIPES = {
  'on-cpu': recipe('On CPU', 'Where is CPU time spent?', 'cpu', 'samples', {
    hasRate: true,
    stacks: ['both', 'user', 'kernel'],
  }),
  'off-cpu': recipe('Off CPU', 'Where does it wait?', 'off-cpu', 'microseconds', {
    tracepoints: ['sched/sched_switch'],
    keys: [...THREAD, 'state'],
  }),
  'wall-clock': recipe('Wall clock', 'Where does the time go, on and off CPU?', 'wall-clock', 'microseconds', {
    tracepoints: ['sched/sched_switch'],
    hasRate: true,
    keys: [...THREAD, 'state'],
  }),
  'wake-ups': recipe('Wake-ups', 'What wakes other threads?', 'wake-ups', 'count', {
    tracepoints: ['sched/sched_waking'],
  }),
  'system-calls': recipe('System calls', 'Which system calls take the time?', 'system-calls', 'microseconds', {
    tracepoints: ['raw_syscalls/sys_enter', 'raw_syscalls/sys_exit'],
    stacks: ['user'],
    keys: [...THREAD, 'call'],
  }),
  'block-io': recipe('Block I/O', 'What reads from and writes to disks?', 'block-io', 'bytes', {
    tracepoints: ['block/block_bio_queue'],
  }),
  'page-faults': recipe('Page faults', 'What touches new memory?', 'page-faults', 'count', {
    tracepoints: ['exceptions/page_fault_user'],
    stacks: ['user'],
  }),
  latency: recipe('Function latency', 'How long do calls of a function take?', 'calls', 'count', {
    stacks: ['user'],
    hasFunction: true,
    binary: 'executable',
    keys: [...THREAD, 'bucket'],
  }),
  allocations: recipe('Allocations', 'What allocates memory?', 'allocations', 'bytes', {
    stacks: ['user'],
    binary: 'allocator',
  }),
  lua: recipe('Lua', 'Which Lua function is hot?', 'cpu', 'samples', {
    hasRate: true,
    stacks: ['both', 'user', 'lua'],
    binary: 'luajit',
    onlyStap: 'only SystemTap reads the stack of Lua',
  }),
} as const satisfies Record<RecipeId, Recipe>;

/** Returns the kinds of stacks that a recipe records: the chosen ones if it has them. */
export const stacksOf = ({ stacks }: Recipe, chosen: StackChoice): StackChoice =>
  stacks.includes(chosen) ? chosen : stacks[0]!;
