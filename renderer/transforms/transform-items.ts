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

/** Everything that can be done to the stacks with a function, for its menu. */
export function transformItems({
  view,
  func,
  node,
  showDialog,
  keysOf,
}: ItemsNeeds): readonly (readonly TransformItem[])[] {
  const { module } = func;
  const add = (transform: NamedTransform): void => {
    view.setTransforms(added(view.store.get().transforms, transform));
  };
  const entry = (label: string, id: ShortcutId | null, run: () => void): TransformItem => {
    const keys = id === null ? null : keysOf(id);
    return { id, label, ...(keys === null ? {} : { hint: keys }), run };
  };
  const item = (label: string, transform: NamedTransform, id: ShortcutId | null = null): TransformItem =>
    entry(label, id, () => {
      add(transform);
    });
  const onPath = (label: string, id: ShortcutId, of: (on: PathTarget) => NamedTransform): TransformItem[] => {
    const revision = view.store.get().analysis?.revision ?? -1;
    const from = pathOrigin(view);
    if (node === null || from === null) return [];
    const run = async (): Promise<void> => {
      const path = await view.client()?.call('path', { revision, node });
      if (path !== undefined) add(of({ by: 'path', from, path: pathRefs(path) }));
    };
    // The tree may have changed while the menu was open: then there is no such frame, and nothing to do.
    return [entry(label, id, () => void run().catch(() => null))];
  };
  const write = (label: string, form: Partial<TransformForm>): TransformItem =>
    entry(label, null, () => {
      showDialog({ kind: 'transform', draft: { view, index: null, form } });
    });
  const enabled = true;
  const on = { by: 'function', func } as const;
  const onModule = { by: 'module', module } as const;
  const name = shortenMiddle(visibleText(moduleBaseName(module)), 28);
  const ofModule = (items: readonly TransformItem[]): readonly TransformItem[] => (module === '' ? [] : items);
  const pattern = `^${escapePattern(func.name)}$`;
  return [
    [
      item('Focus on this function', { enabled, kind: 'focus', on }, 'transform.focus'),
      ...onPath('Focus on this subtree', 'transform.focus-subtree', (path) => ({ enabled, kind: 'focus', on: path })),
      ...ofModule([item(`Focus on ${name}`, { enabled, kind: 'focus', on: onModule })]),
      item('Only stacks with this function', { enabled, kind: 'drop-without', on }, 'transform.only'),
    ],
    [
      item('Hide stacks with this function', { enabled, kind: 'hide', on }, 'transform.hide'),
      ...onPath('Hide this subtree', 'transform.hide-subtree', (path) => ({ enabled, kind: 'hide', on: path })),
      ...ofModule([item(`Hide stacks with ${name}`, { enabled, kind: 'hide', on: onModule })]),
    ],
    [
      item('Merge into caller', { enabled, kind: 'merge', on }, 'transform.merge'),
      ...ofModule([item(`Merge ${name} into callers`, { enabled, kind: 'merge', on: onModule })]),
      item('Collapse recursion', { enabled, kind: 'collapse-recursion', on, direct: false }, 'transform.recursion'),
      item('Collapse what it calls', { enabled, kind: 'collapse-subtree', on }),
      ...ofModule([item(`Collapse ${name}`, { enabled, kind: 'collapse-module', module })]),
    ],
    [
      write('Rename by rule…', {
        kind: 'rename',
        by: 'pattern',
        pattern,
        ignoreCase: false,
        replacement: func.name,
        func,
      }),
      write('Transform…', { kind: 'hide', by: 'function', func, module, pattern, ignoreCase: false }),
    ],
  ];
}

/** Which way paths of the view's tree lead; null: not from an end of stacks. */
function pathOrigin(view: ProfileView): PathTarget['from'] | null {
  const kind: string = view.store.get().tree.kind;
  if (kind === 'bottom-up') return 'leaf';
  return kind === 'top-down' || kind === 'time-order' ? 'root' : null;
}

/** The name itself as a regular expression. */
function escapePattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
