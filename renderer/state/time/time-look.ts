import type { TimeRange } from '#core/analyze/time/time-grid.ts';

/** How the user looks at time in a view. */
export interface TimeLook {
  readonly form: TimeForm;
  /** The part of the whole that is drawn; null: all of it. */
  readonly window: TimeRange | null;
  readonly threadOrder: 'weight' | 'name';
  /** The heat map as rows of text. */
  readonly asText: boolean;
}

export type TimeForm = 'strip' | 'threads' | 'heat-map';

export const INITIAL_TIME_LOOK: TimeLook = { form: 'strip', window: null, threadOrder: 'weight', asText: false };
