import { CODE_KINDS, type CodeKind } from '../../model/code-kind.ts';
import { compilePattern, PatternError } from '../search.ts';

/** Assigns stacks to a kind of work. The first rule of a list that matches a stack decides. */
export interface KindRule {
  /** Name of the rule's weight; rules with the same kind add up. */
  readonly kind: string;
  /** `any`: a function anywhere in the stack; `leaf`: the function in which the stack ends. */
  readonly where: 'any' | 'leaf';
  /** A regular expression on function names, or a kind of code. */
  readonly on: { readonly pattern: string } | { readonly code: CodeKind };
}

/** Default rules, as text that users can edit: `KIND: any|leaf: REGEX` or `KIND: leaf: code=CODE`, `#` comments. */
export const DEFAULT_KIND_RULES = String.raw`# The first rule that matches a stack decides: KIND: any|leaf: REGEX, or code=CODE.
# any = a function anywhere in the stack, leaf = the function in which the stack ends.
idle: any: ^(cpu_startup_entry|do_idle|cpuidle_\w+|intel_idle\w*|acpi_idle\w*|default_idle\w*|native_safe_halt|swapper|\(idle\))$
garbage collection: any: ^runtime\.(gcBgMarkWorker|gcDrain\w*|gcAssist\w*|gcStart|gcMark\w*|bgsweep|bgscavenge|sweepone|markroot\w*|scanobject)\b
garbage collection: any: ^\(garbage collector\)$|^v8::internal::(Heap::CollectGarbage|Scavenger|MarkCompact|ConcurrentMarking)|^(G1|ZGC|ZHeap|Shenandoah|PSScavenge|ParallelGC)\w*::|^gc_heap::|^(gc_marks|gc_sweep|gc_collect)\w*$|^caml_(major|minor|empty_minor)\w*$|^lj_gc_step\w*$
allocation: any: ^(__libc_|__GI___?|je_|tc_|mi_|_int_)?(malloc|calloc|realloc|free|cfree|memalign|posix_memalign|aligned_alloc)(_consolidate|_trim|_fastpath)?$|^operator (new|delete)\b|^runtime\.(mallocgc\w*|newobject|makeslice\w*|growslice)$|^__rust_(alloc|dealloc|realloc)\w*$|^_Zn[wa]m|^_Zd[la]Pv
locks: any: ^(__|___)?pthread_(mutex|rwlock|cond|spin)_\w+$|^__lll_(lock|unlock)\w*$|^(do_)?futex\w*$|^runtime\.(lock2?|unlock2?|futex\w*|semacquire1?|semrelease1?)$|^(internal/)?sync\.\(\*(RW)?Mutex\)\.|^native_queued_spin_lock_slowpath$|^(__)?(mutex_(lock|unlock)|rwsem_(down|up))\w*$|^ObjectMonitor::|^parking_lot
memory copies: leaf: ^(__)?mem(cpy|move|set|pcpy)\w*$|^(__GI_+)?mem(cpy|move|set)$|^(_*copy_(to|from)_(user|iter)\w*|copy_user_\w+|copyin|copyout|rep_movs_alternative|clear_page\w*|copy_page\w*|copy_mc\w*)$|^runtime\.(memmove|memclr\w*|typedmemmove)$|^bcopy$
system calls: any: ^(entry_SYSCALL_64\w*|do_syscall_64|__(x64|arm64|ia32|se)_sys_\w+|el0t?_\w*svc\w*|do_el0_svc|invoke_syscall)$
kernel, other: leaf: code=kernel
JIT: leaf: code=jit
interpreted: leaf: code=interpreted
Lua: leaf: code=lua
Go runtime: leaf: code=go-runtime
no symbol: leaf: code=unresolved
user: leaf: code=user`;

/** The text of more rules than these, or a longer one, is not a list that a person wrote. */
export const MAX_RULES_LENGTH = 20_000;
const MAX_RULES = 100;
const MAX_KIND_LENGTH = 60;

/** A line of a list of rules that can't be read. `message` has no line number. */
export class KindRuleError extends Error {
  /** 1-based. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'KindRuleError';
    this.line = line;
  }
}

/** Parses a list of rules. Throws {@link KindRuleError}. */
export function parseKindRules(text: string): readonly KindRule[] {
  if (text.length > MAX_RULES_LENGTH) throw new KindRuleError(1, `longer than ${MAX_RULES_LENGTH} characters`);
  const rules: KindRule[] = [];
  for (const [index, raw] of text.split(/\r\n?|\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    if (rules.length === MAX_RULES) throw new KindRuleError(index + 1, `more than ${MAX_RULES} rules`);
    rules.push(parseRule(line, index + 1));
  }
  return rules;
}

function parseRule(text: string, line: number): KindRule {
  const parts = /^(?<kind>[^:]+):\s*(?<where>any|leaf)\s*:\s*(?<what>.+)$/u.exec(text)?.groups;
  if (parts === undefined) throw new KindRuleError(line, 'not of the form KIND: any|leaf: REGEX');
  const kind = parts['kind']!.trim();
  const where = parts['where'] as KindRule['where'];
  const what = parts['what']!;
  if (kind === '' || kind.length > MAX_KIND_LENGTH) {
    throw new KindRuleError(line, `invalid kind; it has 1 to ${MAX_KIND_LENGTH} characters`);
  }
  if (what.startsWith('code=')) {
    const code = what.slice('code='.length);
    if (!Object.hasOwn(CODE_KINDS, code)) {
      throw new KindRuleError(line, `unknown kind of code; known: ${Object.keys(CODE_KINDS).join(', ')}`);
    }
    return { kind, where, on: { code: code as CodeKind } };
  }
  try {
    compilePattern(what);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new KindRuleError(line, error.message);
  }
  return { kind, where, on: { pattern: what } };
}
