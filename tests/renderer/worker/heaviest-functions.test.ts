import { expect, test } from 'vitest';
import { heaviestFunctions } from '../../../renderer/worker/heaviest-functions.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

test('functions by what goes through them, direct recursion once; at most 500', () => {
  const names = (text: string): string[] => {
    const profile = profileFromText(text);
    return heaviestFunctions(profile).map((func) => profile.strings[profile.functions.name[func]!]!);
  };
  expect(names('main;a;a;a 1\nmain;b 2\nidle 0.5')).toEqual(['main', 'b', 'a', 'idle']);
  const many = names(Array.from({ length: 700 }, (_, at) => `main;f${at} 1`).join('\n'));
  expect(many).toHaveLength(500);
  expect(many[0]).toBe('main');
});
