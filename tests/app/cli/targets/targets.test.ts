import { expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';

test.each([
  ['nobody', '"nobody" is not an added target; flamebench targets lists them'],
  ['ssh://nobody', '"ssh://nobody" is not an added target; flamebench targets lists them'],
  ['local', '"local" is not an added target; flamebench targets lists them'],
  ['ssh://-x', '"ssh://-x": the host name is empty, starts with - or contains invalid characters'],
])('does not remove %s', async (word, message) => {
  const { code, stdout, stderr } = await callCli(['targets', 'remove', word]);
  expect([code, stdout, stderr]).toEqual([2, '', `flamebench: ${message}\n`]);
});
