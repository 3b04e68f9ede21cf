import { expect, it } from 'vitest';
import { WorkerFailure } from '../../../renderer/state/clients/worker-client.ts';
import { toProblem } from '../../../renderer/state/problem.ts';

it('says that a script is missing, and not that the error is internal', () => {
  const problem = toProblem(new TypeError('Failed to fetch dynamically imported module: http://a/assets/x.js'));
  expect(problem).toMatchObject({ code: 'connection-lost', remedy: expect.stringContaining('Reload this page') });
  expect(problem.message).toMatch(/^A part of Flamebench could not be loaded/);
});

it('gives bytes and lines, but not byte 0 of a file that is not a profile', () => {
  const at = (location: { byte?: number; line?: number }): string =>
    toProblem(new WorkerFailure({ code: 'malformed', message: 'no end', location, remedy: null, details: null }))
      .message;
  expect(at({ line: 12 })).toBe('No end (line 12)');
  expect(at({ byte: 4096 })).toBe('No end (byte 4,096)');
  expect(at({ byte: 0 })).toBe('No end');
});
