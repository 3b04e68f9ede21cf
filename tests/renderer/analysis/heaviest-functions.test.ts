import { expect, test } from 'vitest';
import { heaviestFunctions } from '../../../renderer/analysis/profile/describe-profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

function names(text: string): string[] {
  const profile = profileFromText(text);
  return heaviestFunctions(profile).map((func) => profile.strings[profile.functions.name[func]!]!);
}

test('returns functions by total, counting recursion once; at most 500', () => {
  expect(names('main;a;a;a 1\nmain;b 2\nidle 0.5')).toEqual(['main', 'b', 'a', 'idle']);
  expect(names('main;a;b;a 1\nmain;c 1.5')).toEqual(['main', 'c', 'a', 'b']);
  const many = names(Array.from({ length: 700 }, (_, at) => `main;f${at} 1`).join('\n'));
  expect(many).toHaveLength(500);
  expect(many[0]).toBe('main');
});

test('examines some of many samples, and always the heavy ones', () => {
  const light = Array.from({ length: 50_000 }, (_, at) => `main;${at % 4 === 0 ? 'rare' : 'often'};f${at} 1`);
  expect(names([...light, 'huge;leak 400000'].join('\n')).slice(0, 5)).toEqual([
    'huge',
    'leak',
    'main',
    'often',
    'rare',
  ]);
  expect(names(light.map((line) => line.replace(/ 1$/, ' 0')).join('\n'))).toEqual([]);
});
