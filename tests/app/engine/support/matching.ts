import { expect } from 'vitest';

/** Typed as `unknown`, because vitest's matchers are `any`; they then fit wherever a value is compared. */
export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
/** One non-empty line. */
export const oneLine: unknown = expect.stringMatching(/^[^\n]+$/);
