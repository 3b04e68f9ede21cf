import { expectAccessible } from '../axe.ts';
import { STATES } from '../../renderer/harness/states.ts';
import { expect, test } from './harness.ts';

for (const [name, query] of Object.entries(STATES)) {
  test(`${name}: opens in both themes`, async ({ harness }) => {
    for (const theme of ['light', 'dark']) {
      const page = await harness.open(null, { ...query, theme });
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expectAccessible(page, { without: '.terminal-frame > button', coloursOnly: theme === 'dark' });
    }
  });
}
