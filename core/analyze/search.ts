import type { NamedFunctions } from './function-ref.ts';
import { rowsWithin } from './view/row-walk.ts';
import type { StackView } from './view/stack-view.ts';

/** Invalid regular expression. `message` is one line. */
export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternError';
  }
}

/** Maximum pattern length, in UTF-16 units. Nobody types a longer one, and compiling it takes time. */
export const MAX_PATTERN_LENGTH = 10_000;

/** A user's regular expression; see {@link compilePattern}. */
export interface Pattern {
  readonly pattern: string;
  readonly ignoreCase: boolean;
}

/**
 * Runs users' patterns where they can be stopped (a worker that can be terminated, node:vm with a timeout), because a
 * pattern may take exponential time.
 */
export interface PatternMatcher {
  /** Returns 1 for each name that matches. */
  match(names: readonly string[], pattern: Pattern): Uint8Array | Promise<Uint8Array>;
}

interface PatternOptions {
  readonly ignoreCase?: boolean;
}

/**
 * Compiles a user's pattern in Unicode mode, or without it if only that accepts the pattern (`\-`, `\_`). Throws {@link
 * PatternError}.
 */
export function compilePattern(pattern: string, { ignoreCase = false }: PatternOptions = {}): RegExp {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  const flags = ignoreCase ? 'i' : '';
  try {
    return new RegExp(pattern, `u${flags}`);
  } catch {
    try {
      return new RegExp(pattern, flags);
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error);
      throw new PatternError(`not a regular expression: ${reason}: ${pattern}`);
    }
  }
}

/**
 * Returns whether the pattern contains a capital letter; escapes such as `\S` and `\W` do not count. Searches without one
 * ignore case.
 */
export function hasCapital(pattern: string): boolean {
  return /\p{Lu}/u.test(pattern.replace(/\\./gs, ''));
}

/**
 * Returns 1 for each name that the pattern matches. A pattern can take exponential time, so run this where it can be
 * stopped (a worker that can be terminated, node:vm with a timeout). Throws {@link PatternError}.
 */
export function matchNames(names: readonly string[], pattern: string, options: PatternOptions = {}): Uint8Array {
  const expression = compilePattern(pattern, options);
  const matched = new Uint8Array(names.length);
  for (let index = 0; index < names.length; index++) if (expression.test(names[index]!)) matched[index] = 1;
  return matched;
}

/**
 * Returns the names with every match replaced; `$1`, `$<name>` and `$&` refer to the match. Like {@link matchNames},
 * run this where it can be stopped. Throws {@link PatternError}.
 */
export function renameFunctions(
  names: readonly string[],
  pattern: string,
  replacement: string,
  options: PatternOptions = {},
): string[] {
  if (replacement.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(`the replacement is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  const expression = compilePattern(pattern, options);
  const everywhere = new RegExp(expression.source, `${expression.flags}g`);
  return names.map((name) => name.replace(everywhere, replacement));
}

/** Returns the names by function index, as {@link matchNames} expects them. */
export function functionNames({ strings, functions }: NamedFunctions): string[] {
  return Array.from(functions.name, (name) => strings[name]!);
}

interface SearchResult {
  /** Number of matched functions that occur in the view. */
  readonly functionCount: number;
  /** Weight of the stacks that contain a matched function, each stack once. */
  readonly weight: number;
  /** Share of the view's total, 0 to 1; 0 if the total is 0. */
  readonly share: number;
}

/** Returns the weight of a set of functions in a view; `matched` is 1 for each. */
export function searchWeight(view: StackView, matched: Uint8Array): SearchResult {
  const { length, func, self, total } = view;
  const covered = rowsWithin(view, (row) => matched[func[row]!] === 1);
  const found = new Set<number>();
  let weight = 0;
  for (let row = 0; row < length; row++) {
    if (covered[row] === 1) weight += self[row]!;
    if (matched[func[row]!] === 1) found.add(func[row]!);
  }
  return { functionCount: found.size, weight, share: total === 0 ? 0 : weight / total };
}
