import { expect, test } from 'vitest';
import { exportFileName } from '../../../../renderer/state/transforms/export-file.ts';

test.each([
  ['before.perf.txt.gz', false, 'before-view.folded'],
  ['before.perf.txt', true, 'before.folded'],
  ['a.b.c', true, 'a.b.c.folded'],
  ['../../etc/passwd', true, '_.._etc_passwd.folded'],
  ['con:\u0000<script>?.folded', false, 'con_script_-view.folded'],
  ['', false, 'profile-view.folded'],
  ['.gz', true, 'profile.folded'],
  ['x'.repeat(300), true, `${'x'.repeat(100)}.folded`],
])('an export of %j, whole: %s, is named %j', (source, whole, expected) => {
  expect(exportFileName(source, 'folded', whole)).toBe(expected);
});
