import { CODE_KINDS, type CodeKind } from '#core/model/code-kind.ts';
import { baseName } from '#core/model/base-name.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FunctionTarget, NamedTransform, PathTarget } from '#core/analyze/transforms/named-transform.ts';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import type { MenuItem } from '../../ui/menu/menu.tsx';
import { escapePattern } from './escape-pattern.ts';
import type { TransformForm } from './form.ts';
import { added } from './list.ts';
import type { TransformPlace, TransformTarget } from './target.ts';

/** `id` is that of its shortcut in the graph, or null. */
export interface TransformItem extends MenuItem {
  readonly id: ShortcutId | null;
}

interface ItemsContext {
  readonly target: TransformTarget;
  readonly func: FunctionRef;
  /** The kind of the function's code. */
  readonly code: CodeKind;
  /** The target to use instead of the function's own name. */
  readonly on?: FunctionTarget;
  /** The frame under the pointer; null means the function wherever it occurs. */
  readonly place: TransformPlace | null;
  /** Opens the dialog with fields filled in; null if there is no dialog. */
  readonly write: ((form: Partial<TransformForm>) => void) | null;
  /** Returns the keys of a shortcut, for display. */
  readonly keysOf: (id: ShortcutId) => string | null;
}

type Items = readonly TransformItem[];

const enabled = true;

/** Returns the menu items that transform the stacks with a function. */
export function transformItems(needs: ItemsContext): readonly Items[] {
  const { func, code } = needs;
  const { item, onPath, written } = itemMakers(needs);
  const { module } = func;
  const on = needs.on ?? ({ by: 'function', func } as const);
  const onModule = { by: 'module', module } as const;
  const name = shortenMiddle(visibleText(baseName(module)), 28);
  const ofModule = (label: string, transform: NamedTransform, id: ShortcutId | null = null): Items =>
    module === '' ? [] : [item(label, transform, id)];
  const ofKind = (others: boolean): FunctionTarget => ({ by: 'kind', code, others });
  const recursion = (direct: boolean): NamedTransform => ({ enabled, kind: 'collapse-recursion', on, direct });
  const pattern = `^${escapePattern(func.name)}$`;
  const fields = { func, module, pattern, ignoreCase: false };
  return [
    [
      item('Focus on this function', { enabled, kind: 'focus', on }, 'transform.focus'),
      ...onPath('Focus on this subtree', 'transform.focus-subtree', (path) => ({ enabled, kind: 'focus', on: path })),
      ...ofModule(`Focus on ${name}`, { enabled, kind: 'focus', on: onModule }),
      item('Focus on its self weight', { enabled, kind: 'focus-self', on }, 'transform.focus-self'),
      item('Only stacks with this function', { enabled, kind: 'drop-without', on }, 'transform.only'),
    ],
    [
      item('Hide stacks with this function', { enabled, kind: 'hide', on }, 'transform.hide'),
      ...onPath('Hide this subtree', 'transform.hide-subtree', (path) => ({ enabled, kind: 'hide', on: path })),
      ...ofModule(`Hide stacks with ${name}`, { enabled, kind: 'hide', on: onModule }),
    ],
    [
      item('Merge into caller', { enabled, kind: 'merge', on }, 'transform.merge'),
      ...onPath('Merge this frame only', 'transform.merge-frame', mergeFrame),
      ...ofModule(`Merge ${name} into callers`, { enabled, kind: 'merge', on: onModule }),
      item('Collapse recursion', recursion(false), 'transform.recursion'),
      item('Collapse direct recursion', recursion(true), 'transform.direct-recursion'),
      item('Collapse its callees', { enabled, kind: 'collapse-subtree', on }, 'transform.below'),
      ...ofModule(`Collapse ${name}`, { enabled, kind: 'collapse-module', module }, 'transform.module'),
    ],
    [
      item(
        `Merge all ${CODE_KINDS[code]} code into callers`,
        { enabled, kind: 'merge', on: ofKind(false) },
        'transform.kind',
      ),
      item(
        `Only ${CODE_KINDS[code]} code, the rest merged`,
        { enabled, kind: 'merge', on: ofKind(true) },
        'transform.only-kind',
      ),
    ],
    [
      ...written('Rename by rule…', { ...fields, kind: 'rename', by: 'pattern', replacement: func.name }),
      ...written('Transform…', { ...fields, kind: 'hide', by: 'function' }),
    ],
  ];
}

function itemMakers({ target, func, place, write, keysOf }: ItemsContext) {
  const add = (transform: NamedTransform): void => target.setTransforms(added(target.transforms(), transform));
  const entry = (label: string, id: ShortcutId | null, run: () => void): TransformItem => {
    const keys = id === null ? null : keysOf(id);
    return { id, label, ...(keys === null ? {} : { hint: keys }), run };
  };
  return {
    item: (label: string, transform: NamedTransform, id: ShortcutId | null): TransformItem =>
      entry(label, id, () => add(transform)),
    /** Returns no item if there is no frame, or if `of` returns null for its path. */
    onPath: (label: string, id: ShortcutId, of: (on: PathTarget) => NamedTransform | null): Items => {
      if (place === null) return [];
      const { from } = place;
      if (of({ by: 'path', from, path: [func] }) === null) return [];
      const run = async (): Promise<void> => {
        const path = await place.path();
        const transform = path === null ? null : of({ by: 'path', from, path });
        if (transform !== null) add(transform);
      };
      return [entry(label, id, () => void run())];
    },
    written: (label: string, form: Partial<TransformForm>): Items =>
      write === null ? [] : [entry(label, null, () => write(form))],
  };
}

/** Returns the transform that merges one frame; null for a path from the leaf, which does not identify its callers. */
function mergeFrame({ from, path }: PathTarget): NamedTransform | null {
  return from === 'leaf' ? null : { enabled, kind: 'merge', on: { by: 'path', from, path } };
}
