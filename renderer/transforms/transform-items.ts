import { moduleBaseName } from '#core/analyze/describe-transform.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform, PathTarget } from '#core/analyze/named-transform.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { ShortcutId } from '../keys/shortcuts.ts';
import type { MenuItem } from '../shell/menu.tsx';
import { pathRefs } from '../state/function-text.ts';
import type { ProfileView } from '../state/profile-view.ts';
import type { OpenDialog } from '../state/workbench.ts';
import type { TransformForm } from './transform-form.ts';
import { added } from './transform-list.ts';

/** `id`: of its shortcut in the graph, where it has one. */
export interface TransformItem extends MenuItem {
  readonly id: ShortcutId | null;
}

interface ItemsNeeds {
  readonly view: ProfileView;
  readonly func: FunctionRef;
  /** The row of the view's call tree that was pointed at; null: a function, wherever it is. */
  readonly node: CallNodeIndex | null;
  readonly showDialog: (dialog: OpenDialog) => void;
  /** The keys of a shortcut, to show. */
  readonly keysOf: (id: ShortcutId) => string | null;
}

type Items = readonly TransformItem[];

const enabled = true;

/** Everything that can be done to the stacks with a function, for its menu. */
export function transformItems(needs: ItemsNeeds): readonly Items[] {
  const { func } = needs;
  const { item, onPath, write } = itemMakers(needs);
  const { module } = func;
  const on = { by: 'function', func } as const;
  const onModule = { by: 'module', module } as const;
  const name = shortenMiddle(visibleText(moduleBaseName(module)), 28);
  const ofModule = (label: string, transform: NamedTransform): Items =>
    module === '' ? [] : [item(label, transform, null)];
  const recursion = (direct: boolean): NamedTransform => ({ enabled, kind: 'collapse-recursion', on, direct });
  const pattern = `^${escapePattern(func.name)}$`;
  const fields = { func, module, pattern, ignoreCase: false };
  return [
    [
      item('Focus on this function', { enabled, kind: 'focus', on }, 'transform.focus'),
      ...onPath('Focus on this subtree', 'transform.focus-subtree', (path) => ({ enabled, kind: 'focus', on: path })),
      ...ofModule(`Focus on ${name}`, { enabled, kind: 'focus', on: onModule }),
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
      item('Collapse what it calls', { enabled, kind: 'collapse-subtree', on }, null),
      ...ofModule(`Collapse ${name}`, { enabled, kind: 'collapse-module', module }),
    ],
    [
      write('Rename by rule…', { ...fields, kind: 'rename', by: 'pattern', replacement: func.name }),
      write('Transform…', { ...fields, kind: 'hide', by: 'function' }),
    ],
  ];
}

function itemMakers({ view, func, node, showDialog, keysOf }: ItemsNeeds) {
  const add = (transform: NamedTransform): void => {
    view.setTransforms(added(view.store.get().transforms, transform));
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
      const { analysis } = view.store.get();
      if (node === null || analysis === null) return [];
      const { revision, tree } = analysis;
      const from = tree.kind === 'bottom-up' ? 'leaf' : 'root';
      if (of({ by: 'path', from, path: [func] }) === null) return [];
      const run = async (): Promise<void> => {
        const path = await view.client()?.call('path', { revision, node });
        const transform = path === undefined ? null : of({ by: 'path', from, path: pathRefs(path) });
        if (transform !== null) add(transform);
      };
      // The tree may have changed while the menu was open: then there is no such frame, and nothing to do.
      return [entry(label, id, () => void run().catch(() => null))];
    },
    write: (label: string, form: Partial<TransformForm>): TransformItem =>
      entry(label, null, () => {
        showDialog({ kind: 'transform', draft: { view, index: null, form } });
      }),
  };
}

/** A frame is under its callers, which a path from the leaf does not know. */
function mergeFrame({ from, path }: PathTarget): NamedTransform | null {
  return from === 'leaf' ? null : { enabled, kind: 'merge', on: { by: 'path', from, path } };
}

/** The name itself as a regular expression. */
function escapePattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
