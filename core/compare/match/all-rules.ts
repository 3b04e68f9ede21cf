import { MATCH_RULES, type MatchPair, type MatchRule, type MatchRules } from './match-rules.ts';
import { IGNORED_MODULES, MODULE_UNKNOWN } from './match-functions.ts';
import { EXECUTABLE, SAME_PROGRAM } from './match-programs.ts';
import { GOROUTINE_WAITS } from './goroutine-waits.ts';
import { PROCESS_FRAMES } from './process-frames.ts';

type ListedRule = Pick<MatchRule, 'id' | 'label' | 'example'>;

/** These rules look at all stacks or functions at once, so they are not among {@link MATCH_RULES}. */
const PROCESS_FRAMES_RULE: ListedRule = {
  id: PROCESS_FRAMES,
  label: 'Frames of processes and threads',
  example: 'nginx;main;parse → main;parse, if only folded text has nginx',
};
const GOROUTINE_WAITS_RULE: ListedRule = {
  id: GOROUTINE_WAITS,
  label: 'Frames in which goroutines wait',
  example: 'main.leak;runtime.chanrecv;runtime.gopark → main.leak, in profiles of goroutines',
};
const EXECUTABLE_RULE: ListedRule = {
  id: EXECUTABLE,
  label: 'Two builds of one program',
  example: 'server-old and server-new → one module, if each side recorded one program',
};
const MODULE_UNKNOWN_RULE: ListedRule = {
  id: MODULE_UNKNOWN,
  label: 'Unknown modules',
  example: 'main of no module → main of app, if only app has one',
};

/** Every rule that can be disabled, in the order in which they apply. */
export const ALL_RULES: readonly ListedRule[] = [
  PROCESS_FRAMES_RULE,
  GOROUTINE_WAITS_RULE,
  ...MATCH_RULES,
  EXECUTABLE_RULE,
  MODULE_UNKNOWN_RULE,
];

/** Returns the rules with further pairs of functions. */
export const withPairs = (rules: MatchRules, pairs: readonly MatchPair[]): MatchRules => ({
  ...rules,
  pairs: [...(rules.pairs ?? []), ...pairs],
});

/**
 * Returns the rules with the one that a warning names enabled: its id, or {@link SAME_PROGRAM} or {@link
 * IGNORED_MODULES}.
 */
export function withRule(rules: MatchRules, rule: string): MatchRules {
  if (rule === IGNORED_MODULES) return { ...rules, ignoreModules: true };
  if (rule === SAME_PROGRAM) return { ...rules, sameProgram: true };
  return { ...rules, off: rules.off.filter((id) => id !== rule) };
}
