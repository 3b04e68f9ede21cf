import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { AnalysisMethods, ParamsOf, PickedPlace, ResultOf, SourceTypes } from '../../analysis/methods.ts';
import type { Problem } from '../../ui/problem.ts';

export type SearchState<Matches> =
  | { readonly status: 'none' }
  | { readonly status: 'running' }
  /** `revision` is that of the searched analysis: the previous one until the newest is searched. */
  | { readonly status: 'matched'; readonly matches: Matches; readonly revision: number }
  | { readonly status: 'refused'; readonly message: string };

/** The state that views of all sources share. */
export interface AnalysisState<Analysis, Picked, Matches> {
  /** Stays the analysis of earlier choices until the worker has answered; null before the first answer. */
  readonly analysis: Analysis | null;
  /** Why the newest analysis failed or was refused; the previous one stays on screen. */
  readonly problem: Problem | null;
  readonly searchText: string;
  readonly search: SearchState<Matches>;
  /** The node of `zoomPath` in the analysis, or its deepest caller in the tree. */
  readonly zoomNode: CallNodeIndex;
  /** Path of the zoomed node, from below the root down; kept even if the current tree lacks it. */
  readonly zoomPath: readonly FunctionRef[];
  readonly picked: Picked | null;
  /** The selection by names; kept even if the analysis lacks the function. */
  readonly pickedPlace: PickedPlace | null;
}

/** A worker client, reduced to the methods that all sources share. */
export interface SharedClient<S extends SourceTypes> {
  call<M extends keyof AnalysisMethods<S>>(
    method: M,
    params: ParamsOf<AnalysisMethods<S>, M>,
  ): Promise<ResultOf<AnalysisMethods<S>, M>>;
}
