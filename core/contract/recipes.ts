import type { RecipeId, StackChoice } from './bpftrace.ts';

/** A question that bpftrace answers with stacks. Its script is `collectors/bpftrace/recipes/<id>.bt`. */
export interface Recipe {
  readonly label: string;
  /** The user's question. */
  readonly question: string;
  readonly valueType: { readonly type: string; readonly unit: string };
  /** Kernel events that must exist, as `system/event`. */
  readonly tracepoints: readonly string[];
  /** True if the recipe samples at a rate that the user chooses. */
  readonly hasRate: boolean;
  /** Kinds of stacks; `chosen`: the user chooses them. */
  readonly stacks: StackChoice | 'chosen';
  /** True if the recipe needs a function of a process. */
  readonly hasFunction: boolean;
  /** Numbers after the stacks of a row; see core/import/bpftrace. */
  readonly keys: readonly string[];
}

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
  stacks: 'both',
  hasFunction: false,
  keys: THREAD,
  ...others,
});

export const RECIPES = {
  'on-cpu': recipe('On CPU', 'Where is CPU time spent?', 'cpu', 'samples', { hasRate: true, stacks: 'chosen' }),
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
    stacks: 'user',
    keys: [...THREAD, 'call'],
  }),
  'block-io': recipe('Block I/O', 'What reads from and writes to disks?', 'block-io', 'bytes', {
    tracepoints: ['block/block_bio_queue'],
  }),
  'page-faults': recipe('Page faults', 'What touches new memory?', 'page-faults', 'count', {
    tracepoints: ['exceptions/page_fault_user'],
    stacks: 'user',
  }),
  latency: recipe('Function latency', 'How long do calls of a function take?', 'calls', 'count', {
    stacks: 'user',
    hasFunction: true,
    keys: [...THREAD, 'bucket'],
  }),
} as const satisfies Record<RecipeId, Recipe>;
