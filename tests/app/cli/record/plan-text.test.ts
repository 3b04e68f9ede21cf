import { expect, test } from 'vitest';
import { checkRefusal } from '#app/cli/record/plan-text.ts';

test('a refusal has the finding, the remedy and the id of the first failed check, which names its page', () => {
  const ok = { id: 'perf', status: 'ok', found: 'perf 6.1', remedy: null } as const;
  const failed = { id: 'no-debuginfo', status: 'failed', found: 'no debug information', remedy: 'install it' } as const;
  expect(checkRefusal("can't watch", [ok, failed, { ...failed, found: 'later' }])).toMatchObject({
    message: "can't watch: no debug information",
    remedy: 'install it',
    code: 'no-debuginfo',
  });
});
