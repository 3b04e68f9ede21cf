import { useMemo } from 'react';
import { format } from '../shell/format.ts';
import type { ProfileView } from '../state/profile-view.ts';
import { useStore } from '../state/store.ts';
import type { FunctionNames, FunctionRows } from '../worker/protocol.ts';

const NO_ROWS: FunctionRows = { func: new Int32Array(0), self: new Float64Array(0), total: new Float64Array(0) };

export interface Seen {
  readonly functions: FunctionNames;
  readonly rows: FunctionRows;
  /** Of the view's total. */
  readonly share: (weight: number) => string;
  readonly unit: string;
}

/** The functions of a view as they are now, outside of the view's own components. */
export function useSeen(view: ProfileView): Seen {
  const analysis = useStore(view.store, (state) => state.analysis);
  const valueType = useStore(view.store, (state) => state.selection.valueType);
  const { profile } = view;
  return useMemo(() => {
    const total = analysis?.total ?? 0;
    return {
      functions: analysis?.functions ?? profile.functions,
      rows: analysis?.rows ?? NO_ROWS,
      share: (weight: number) => format.share(weight, total),
      unit: profile.valueTypes[valueType]?.unit ?? 'count',
    };
  }, [analysis, profile, valueType]);
}
