import { expect } from 'vitest';

/** vitest's matchers are `any`; as `unknown` they fit wherever a value is compared. */
export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
/** One line that is not empty. */
export const oneLine: unknown = expect.stringMatching(/^[^\n]+$/);
