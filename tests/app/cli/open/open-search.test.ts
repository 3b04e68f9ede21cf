import { expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';

test.each([
  [['a.folded', '--search', '('], '--search: not a regular expression'],
  [['--search', 'x'], '--search takes one file or capture'],
  [['a.folded', 'b.folded', '--search', 'x'], '--search takes one file or capture'],
  [['a.folded', 'b.folded', '--compare', '--search', 'x'], '--search takes one file or capture'],
  [['a.folded', '--search', 'x', '--view', 'y'], 'cannot be used with'],
])('open refuses %j', async (args, message) => {
  const { code, stderr } = await callCli(['open', ...args]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
});
