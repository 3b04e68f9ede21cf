import { describe, expect, it } from 'vitest';
import { readTarget, shortTarget } from '../../../../renderer/ui/status/target-words.ts';

describe('a typed target', () => {
  it.each([
    ['ssh://root@web-1:2222', 'ssh://root@web-1:2222', 'web-1'],
    ['  root@web-1 ', 'ssh://root@web-1', 'web-1'],
    ['web-1', 'ssh://web-1', 'web-1'],
    ['web-1:22', 'ssh://web-1:22', 'web-1'],
    ['ssh://[::1]:22', 'ssh://[::1]:22', '::1'],
  ])('reads %s', (typed, id, name) => {
    expect(readTarget(typed)).toEqual({ ok: true, id, name });
  });

  it.each([
    ['', /Type a host/],
    ['-oProxyCommand=sh', /starts with -/],
    ['ssh://root:secret@web-1', /password/],
    ['web 1', /invalid characters|not a target/],
    ['web-1:http', /port/],
    ['http://web-1', /not a target/],
  ])('%j is refused with a message', (typed, message) => {
    const read = readTarget(typed);
    expect(read).toMatchObject({ ok: false });
    expect(read.ok ? '' : read.message).toMatch(message);
    expect(read.ok ? '' : read.message).not.toContain('\n');
  });

  it('is shown without its common prefix', () => {
    expect(shortTarget('ssh://root@web-1:22')).toBe('root@web-1:22');
  });
});
