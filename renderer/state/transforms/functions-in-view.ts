import { format } from '../../ui/format.ts';
import type { ProfileView } from '../profile/view.ts';
import type { FunctionNames, FunctionRows } from '../../analysis/profile/protocol.ts';

/** The functions to choose from, with their weights. */
export interface FunctionsInView {
  readonly functions: FunctionNames;
  readonly rows: FunctionRows;
  /** Returns a weight's share of the current view. */
  readonly share: (weight: number) => string;
  readonly unit: string;
}

const NO_ROWS: FunctionRows = { func: new Int32Array(0), self: new Float64Array(0), total: new Float64Array(0) };

/** Returns the functions of a view in its current state. */
export function functionsInView({ store, profile }: ProfileView): FunctionsInView {
  const { analysis, selection } = store.get();
  const total = analysis?.total ?? 0;
  return {
    functions: analysis?.functions ?? profile.functions,
    rows: analysis?.rows ?? NO_ROWS,
    share: (weight: number) => format.share(weight, total),
    unit: profile.valueTypes[selection.valueType]?.unit ?? 'count',
  };
}
