import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { RulePreview } from './protocol.ts';

/** Examples that a preview lists. */
const MOST_EXAMPLES = 50;

/** What a rule would do to functions; `renamed`: their names by function, as it makes them. */
export function previewRule(
  { strings, functions: { length, name, module } }: NamedFunctions,
  renamed: readonly string[],
): RulePreview {
  const examples: RulePreview['examples'][number][] = [];
  const counts = new Map<string, number>();
  const from = (func: number): string => strings[name[func]!]!;
  // A rule that leaves nothing of a name leaves the name.
  const to = (func: number): string => renamed[func]! || from(func);
  const key = (func: number): string => `${module[func]!} ${to(func)}`;
  for (let func = 0; func < length; func++) counts.set(key(func), (counts.get(key(func)) ?? 0) + 1);
  let changed = 0;
  let merged = 0;
  for (let func = 0; func < length; func++) {
    if (to(func) === from(func)) continue;
    changed += 1;
    const isMerged = counts.get(key(func))! > 1;
    if (isMerged) merged += 1;
    if (examples.length < MOST_EXAMPLES) examples.push({ from: from(func), to: to(func), isMerged });
  }
  return { changed, merged, examples };
}
