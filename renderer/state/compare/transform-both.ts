import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FunctionTarget } from '#core/analyze/transforms/named-transform.ts';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import { format } from '../../ui/format.ts';
import { functionCode, functionRefOf } from '../function-text.ts';
import { escapePattern } from '../transforms/escape-pattern.ts';
import { transformItems, type TransformItem } from '../transforms/items.ts';
import type { TransformSubject } from '../transforms/draft.ts';
import type { TransformTarget } from '../transforms/target.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import type { CompareTab } from './compare.types.ts';

/** Returns the transforms of a comparison, which apply to the captures of both sides before functions are matched. */
export const compareTarget = (tab: CompareTab): TransformTarget => ({
  transforms: () => tab.store.get().options.transforms,
  setTransforms: (transforms) => tab.setOptions({ transforms }),
});

/** Returns the dialog's subject: matched functions, and a preview of a transform on both sides. */
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

/** Returns the menu items that transform the stacks with a function, on both sides alike. */
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
 * Returns a function as the captures name it. If rules merged several functions, it is a pattern of all their names,
 * because one name would match on one side only and hiding it would look like a change. Null if the names do not fit in
 * a pattern.
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
  // The merged functions may be in different modules, so module transforms are not offered.
  return { func: { ...ref, module: '' }, on: { by: 'pattern', pattern, ignoreCase: false } };
}
