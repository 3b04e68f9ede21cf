import type { ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import type { TimeTool } from './time-tools.tsx';

/** What every form of the time pane is given. */
export interface TimeFormProps {
  /** The first sample of the profile: what times are said after. */
  readonly zero: number;
  /** What there is to choose from: all of the time, or the innermost committed range. */
  readonly whole: TimeRange;
  readonly window: TimeRange;
  readonly gaps: readonly TimeRange[];
  readonly theme: Theme;
  readonly tools: ReactElement;
  readonly onOpen: (tool: TimeTool) => void;
  /** A form is open, and what lies under the pointer is of no interest. */
  readonly quiet: boolean;
}
