import type { ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import { restoreComparison } from './document.ts';
import type { ComparisonDocument } from './document-schema.ts';
import { WHOLE_SIDE } from './sides.ts';
import { INITIAL_COMPARE_LOOK, type CompareInput, type CompareState } from './compare.types.ts';
import type { Side } from '#core/contract/side.ts';

/** The state from which a comparison is created or recreated. */
export interface CompareSeed {
  /** Null derives the name from the captures. */
  readonly name: string | null;
  readonly experimentId: string | null;
  readonly before: readonly CompareInput[];
  readonly after: readonly CompareInput[];
  /** Initial value type of each side; absent selects one that both sides have. */
  readonly valueTypes?: Readonly<Record<Side, ValueTypeName>>;
  /** The choices and places to begin with. */
  readonly document: ComparisonDocument | null;
  /** True starts the guide's first step. */
  readonly guided?: boolean;
}

/** Returns the initial state without captures, which the caller adds. */
export function initialState({ name, experimentId, valueTypes, document, guided }: CompareSeed): CompareState {
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
    guideStep: guided === true ? 0 : null,
    ...restoreComparison(document),
  };
}
