import { CODE_KINDS, type CodeKind } from '#core/analyze/code-kind.ts';
import { moduleBaseName } from '#core/analyze/transforms/describe-transform.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FunctionTarget, NamedTransform, PathTarget } from '#core/analyze/transforms/named-transform.ts';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import type { MenuItem } from '../../ui/menu/menu.tsx';
import type { TransformForm } from './transform-form.ts';
import { added } from './transform-list.ts';
import type { TransformPlace, TransformTarget } from './transform-target.ts';

/** `id`: of its shortcut in the graph, where it has one. */
export interface TransformItem extends MenuItem {
  readonly id: ShortcutId | null;
}

interface ItemsNeeds {
  readonly target: TransformTarget;
  readonly func: FunctionRef;
  /** What kind of code it is. */
  readonly code: CodeKind;
  /** Where the function's own name does not do; default: by that. */
  readonly on?: FunctionTarget;
  /** The frame that was pointed at; null: a function, wherever it is. */
  readonly place: TransformPlace | null;
  /** Opens the dialog with fields filled in; null where there is none. */
  readonly write: ((form: Partial<TransformForm>) => void) | null;
  /** The keys of a shortcut, to show. */
  readonly keysOf: (id: ShortcutId) => string | null;
}

type Items = readonly TransformItem[];

const enabled = true;

/** Everything that can be done to the stacks with a function, for its menu. */
export function transformItems(needs: ItemsNeeds): readonly Items[] {
  const { func, code } = needs;
  const { item, onPath, written } = itemMakers(needs);
  const { module } = func;
  const on = needs.on ?? ({ by: 'function', func } as const);
  const onModule = { by: 'module', module } as const;
  const name = shortenMiddle(visibleText(moduleBaseName(module)), 28);
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

function itemMakers({ target, func, place, write, keysOf }: ItemsNeeds) {
  const add = (transform: NamedTransform): void => {
    target.setTransforms(added(target.transforms(), transform));
  };
  const entry = (label: string, id: ShortcutId | null, run: () => void): TransformItem => {
    const keys = id === null ? null : keysOf(id);
    return { id, label, ...(keys === null ? {} : { hint: keys }), run };
  };
  return {
    item: (label: string, transform: NamedTransform, id: ShortcutId | null): TransformItem =>
      entry(label, id, () => {
        add(transform);
      }),
    /** None where there is no frame, or `of` knows nothing of such paths. */
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
      write === null
        ? []
        : [
            entry(label, null, () => {
              write(form);
            }),
          ],
  };
}

/** A frame is under its callers, which a path from the leaf does not know. */
function mergeFrame({ from, path }: PathTarget): NamedTransform | null {
  return from === 'leaf' ? null : { enabled, kind: 'merge', on: { by: 'path', from, path } };
}

/** The name itself as a regular expression. */
export function escapePattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
