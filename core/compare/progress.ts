/** What a comparison is at, in this order; `tree` is `buildDeltaTree`, `paths` is `judgePaths`. */
export type CompareStep = 'measure' | 'match' | 'test' | 'tree' | 'paths';

/**
 * Told before each piece of work, which is at most one capture: `done` is the part of the step that is over, 0 to 1. What it throws ends
 * the work, and comes out of it as it is.
 */
export type OnStep = (step: CompareStep, done: number) => void;

/** The same where the work waits for it, so that a thread can hear that it should end. */
export type OnAwaitedStep = (step: CompareStep, done: number) => void | Promise<void>;
