import type { Profile } from '../model/profile.ts';
import type { ColourMode } from './frame-colour.ts';

/** Returns the initial mode: plain folded stacks contain only names, so by module or package they would all be grey. */
export function usualColourMode({ strings, functions }: Pick<Profile, 'functions' | 'strings'>): ColourMode {
  const named = (func: number): boolean => functions.module[func] !== 0 || functions.file[func] !== 0;
  const grouped = functions.name.some((name, func) => named(func) || /\w(?:::|\.|\/)\w/.test(strings[name]!));
  return grouped ? 'package' : 'function';
}
