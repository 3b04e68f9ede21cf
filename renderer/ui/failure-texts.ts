import { failureText } from '#core/contract/failure-pages.ts';

const texts = import.meta.glob<string>('../../docs/failures/*.md', { query: '?raw', import: 'default', eager: true });

/** Returns the text of a page of docs/failures. */
export const failureTextOf = (page: string): string => failureText(texts[`../../docs/failures/${page}.md`] ?? '');
