import type { TimeRange } from '#core/analyze/time/grid.ts';

/** Display options of time in a view. */
export interface TimeDisplay {
  readonly form: TimeForm;
  /** The visible part of time; null shows all of it. */
  readonly window: TimeRange | null;
  readonly threadOrder: 'weight' | 'name';
  /** True if the heat map is shown as rows of text. */
  readonly asText: boolean;
}

export type TimeForm = 'strip' | 'threads' | 'heat-map';

export const INITIAL_TIME_DISPLAY: TimeDisplay = { form: 'strip', window: null, threadOrder: 'weight', asText: false };
