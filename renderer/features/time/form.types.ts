import type { ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import type { TimeTool } from './tools.tsx';

/** The properties of every form of the time pane. */
export interface TimeFormProps {
  /** The profile's first sample, the zero of displayed times. */
  readonly zero: number;
  /** The range to select from: all of the time, or the innermost committed range. */
  readonly whole: TimeRange;
  readonly window: TimeRange;
  readonly gaps: readonly TimeRange[];
  readonly theme: Theme;
  readonly tools: ReactElement;
  readonly onOpen: (tool: TimeTool) => void;
  /** True while a form is open, which hides the tooltip. */
  readonly quiet: boolean;
}
