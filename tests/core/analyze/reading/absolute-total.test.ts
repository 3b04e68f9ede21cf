import { expect, test } from 'vitest';
import { absoluteTotal, totalText } from '#core/analyze/reading/absolute-total.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

test.each([
  ['main;a 30\nmain;b -12', '18 net, 42 absolute'],
  ['main;a 5\nmain;b -5', '0 net, 10 absolute'],
  ['main;a -3', '-3'],
  ['main;a 30\nmain;b 12', '42'],
])('%j has the total %s', (text, expected) => {
  const profile = profileFromText(text);
  const view = buildStackView(profile, wholeProfile(profile));
  expect(totalText(view.total, absoluteTotal(view), String)).toBe(expected);
});
