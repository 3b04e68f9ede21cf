import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FunctionTarget } from '#core/analyze/transforms/named-transform.ts';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import { format } from '../../ui/format.ts';
import { functionCode, functionRefOf } from '../function-text.ts';
import { escapePattern, transformItems } from '../transforms/transform-items.ts';
import type { TransformSubject } from '../transforms/transform-draft.ts';
import type { TransformItem } from '../transforms/transform-items.ts';
import type { TransformTarget } from '../transforms/transform-target.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import type { CompareTab } from './compare.types.ts';

/** Transforms of a comparison: applied to the captures of both sides, before functions are matched. */
export const compareTarget = (tab: CompareTab): TransformTarget => ({
  transforms: () => tab.store.get().options.transforms,
  setTransforms: (transforms) => {
    tab.setOptions({ transforms });
  },
});

/** For the dialog: functions as the comparison matched them, and what a transform would do on both sides. */
export function compareSubject(tab: CompareTab, compared: Compared): TransformSubject {
  const { functions, self, total, whole, revision } = compared;
  return {
    target: compareTarget(tab),
    searchText: tab.store.get().searchText,
    seen: () => ({
      functions,
      rows: {
        func: Int32Array.from({ length: total.length }, (_, func) => func),
        self: both(self),
        total: both(total),
      },
      share: (weight) => format.share(weight, whole.before + whole.after),
      unit: compared.before.captures[0]!.valueType.unit,
    }),
    preview: async (before, transform) => {
      const { missing, ...preview } = await tab.ask('preview', { revision, before, transform });
      const warning =
        missing === null ? null : `Finds nothing ${missing}; its effect on the other side would look like a change.`;
      return { ...preview, warning };
    },
  };
}

const both = ({ before, after }: Compared['self']): Float64Array => before.map((weight, func) => weight + after[func]!);

/** What can be done to the stacks with a function, on both sides alike. */
export function bothSidesItems(
  tab: CompareTab,
  compared: Compared,
  func: FunctionIndex,
  keysOf: (id: ShortcutId) => string | null,
): readonly (readonly TransformItem[])[] {
  const named = asCaptured(compared, func);
  return named === null
    ? []
    : transformItems({
        target: compareTarget(tab),
        ...named,
        code: functionCode(compared.functions, func),
        place: null,
        write: null,
        keysOf,
      });
}

/**
 * A function as captures call it. Where rules made one of several, a pattern of all their names: its own name would be found on one side
 * only, and what that hides there would look like a change. Null where no pattern can hold the names.
 */
function asCaptured(
  { functions, merges }: Compared,
  func: FunctionIndex,
): { readonly func: FunctionRef; readonly on?: FunctionTarget } | null {
  const ref = functionRefOf(functions, func);
  const names = new Set(
    merges
      .flatMap((rule) => rule.merges.flatMap((merge) => (merge.func === func ? merge.from : [])))
      .map(({ name }) => name),
  );
  if (names.size === 0) return { func: ref };
  const pattern = `^(?:${[...names].map(escapePattern).join('|')})$`;
  if (pattern.length > MAX_PATTERN_LENGTH) return null;
  // Modules are merged as well: none of their transforms fits both sides for sure.
  return { func: { ...ref, module: '' }, on: { by: 'pattern', pattern, ignoreCase: false } };
}
