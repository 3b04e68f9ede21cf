import { expect, test } from 'vitest';
import { withNotice } from '../../../renderer/state/notices.ts';
import type { Notice } from '../../../renderer/state/notice.ts';

const action = { label: 'Undo', run: () => undefined };
const noticeOf = (id: number, text: string, more: Partial<Notice> = {}): Notice => ({
  id,
  kind: text.startsWith('error') ? 'error' : 'info',
  text,
  remedy: null,
  action: text.startsWith('undo') ? action : null,
  ...more,
});
const shown = (...texts: string[]): string[] => {
  const notices = texts.map((text, index) => noticeOf(index, text));
  return notices.reduce<readonly Notice[]>(withNotice, []).map(({ text }) => text);
};

test('closes confirmations before errors and what can be undone, oldest first', () => {
  expect(shown('error 1', 'copied 1', 'undo 1', 'copied 2', 'copied 3')).toEqual([
    'error 1',
    'undo 1',
    'copied 2',
    'copied 3',
  ]);
  expect(shown('error 1', 'undo 1', 'error 2', 'error 3', 'copied 1', 'copied 2')).toEqual([
    'error 1',
    'undo 1',
    'error 2',
    'error 3',
    'copied 2',
  ]);
  expect(shown('error 1', 'error 2', 'error 3', 'error 4', 'error 5')).toEqual([
    'error 2',
    'error 3',
    'error 4',
    'error 5',
  ]);
});

test('replaces an identical notice, but none that can be undone', () => {
  expect(shown('copied', 'error', 'copied', 'error')).toEqual(['copied', 'error']);
  expect(shown('undo', 'undo')).toEqual(['undo', 'undo']);
});

test('keeps what the user may not have seen yet', () => {
  const news = noticeOf(0, 'recovered a capture', { stays: true });
  const all = ['copied 1', 'error 1', 'error 2', 'copied 2'].map((text, index) => noticeOf(index + 1, text));
  expect(all.reduce(withNotice, [news]).map(({ text }) => text)).toEqual([
    'recovered a capture',
    'error 1',
    'error 2',
    'copied 2',
  ]);
});
