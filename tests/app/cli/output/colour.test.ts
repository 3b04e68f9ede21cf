import { expect, test } from 'vitest';
import { painted, usesColour, VERDICTS } from '#app/cli/output/colour.ts';

test('colours verdicts, of which the signs stay', () => {
  expect(painted('1 ms  ▲ grew  f\n2 ms  ▼ shrank  g', VERDICTS)).toBe(
    '1 ms  \u001b[31m▲ grew\u001b[0m  f\n2 ms  \u001b[34m▼ shrank\u001b[0m  g',
  );
});

test.each([
  ['auto', true, {}, true],
  ['auto', false, {}, false],
  ['auto', true, { NO_COLOR: '1' }, false],
  ['auto', true, { NO_COLOR: '' }, true],
  ['auto', true, { TERM: 'dumb' }, false],
  ['always', false, { NO_COLOR: '1' }, true],
  ['never', true, {}, false],
] as const)('--color %s, terminal %s, %o: %s', (choice, isTerminal, env, expected) => {
  expect(usesColour(choice, isTerminal, env)).toBe(expected);
});
