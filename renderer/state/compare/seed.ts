import type { ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import type { SideName } from '../../analysis/comparison/protocol.ts';
import { restoreComparison } from './document.ts';
import { WHOLE_SIDE } from './sides.ts';
import { INITIAL_COMPARE_LOOK } from './compare.types.ts';
import type { CompareInput, CompareState } from './compare.types.ts';

/** What a comparison is made of, and made of again. */
export interface CompareSeed {
  /** Null: what the captures suggest. */
  readonly name: string | null;
  readonly experimentId: string | null;
  readonly before: readonly CompareInput[];
  readonly after: readonly CompareInput[];
  /** What each side weighs to begin with; absent: what suits both. */
  readonly valueTypes?: Readonly<Record<SideName, ValueTypeName>>;
  /** What `serialiseComparison` gave when it was open before: untrusted. */
  readonly document: unknown;
}

/** Without captures: who makes the tab puts them in. */
export function initialState({ name, experimentId, valueTypes, document }: CompareSeed): CompareState {
  return {
    name,
    experimentId,
    before: { ...WHOLE_SIDE, valueType: valueTypes?.before ?? null, captures: [] },
    after: { ...WHOLE_SIDE, valueType: valueTypes?.after ?? null, captures: [] },
    reading: null,
    options: { normalisation: null, rules: { off: [], user: [], ignoreModules: false }, transforms: [] },
    look: INITIAL_COMPARE_LOOK,
    analysis: null,
    comparing: null,
    stopped: false,
    canUndo: false,
    canRedo: false,
    problem: null,
    searchText: '',
    search: { status: 'none' },
    zoomNode: 0 as CompareState['zoomNode'],
    zoomPath: [],
    picked: null,
    pickedPlace: null,
    hovered: null,
    ...restoreComparison(document),
  };
}
