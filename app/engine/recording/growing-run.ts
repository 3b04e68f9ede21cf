import type { AnyCollector, AnyPlan, Recording } from '#collectors/collector.ts';
import type { Target } from '#collectors/target/target.ts';

/** A run of a recording, and the file that its collector appends to. */
export interface GrowingRun {
  readonly targetId: string;
  readonly target: Target;
  readonly collector: AnyCollector;
  readonly plan: AnyPlan;
  /** Folder of its capture. */
  readonly folder: string;
  readonly fileName: string;
  readonly recording: Pick<Recording, 'onProgress' | 'outcome'>;
}
