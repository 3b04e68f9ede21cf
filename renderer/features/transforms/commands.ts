import { describePattern } from '#core/analyze/transforms/describe-transform.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { functionCode, functionRefOf } from '../../state/function-text.ts';
import type { Command } from '../../state/command.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import type { Workbench } from '../../state/workbench.ts';
import { hasCapital } from '#core/analyze/search.ts';
import { openTransforms, saveTransforms } from './rule-files.ts';
import { newDraft, viewSubject } from '../../state/transforms/draft.ts';
import { transformItems } from '../../state/transforms/items.ts';
import { added, allEnabled } from '../../state/transforms/list.ts';
import { viewPlace, viewTarget } from '../../state/transforms/target.ts';

/** Returns the commands for a view's transforms that need no function. */
export function transformCommands(
  { showDialog, notify }: Pick<Workbench, 'showDialog' | 'notify'>,
  tab: ProfileTab,
  view: ProfileView,
): readonly Command[] {
  const { transforms } = view.store.get();
  const anyOff = transforms.some(({ enabled }) => !enabled);
  return [
    ...pickedCommands(showDialog, view),
    ...searchedCommands(view),
    {
      id: 'transform.add',
      name: 'Add transform…',
      run: () => showDialog({ kind: 'transform', draft: newDraft(viewSubject(view)) }),
    },
    { id: 'view.export', name: 'Export current view…', run: () => showDialog({ kind: 'export', tab, view }) },
    { id: 'transform.open', name: 'Open transforms…', run: () => openTransforms(notify, viewTarget(view)) },
    ...(transforms.length === 0
      ? []
      : [
          { id: 'transform.save', name: 'Save transforms…', run: () => saveTransforms(transforms) },
          {
            id: 'transform.switch',
            name: anyOff ? 'Switch all transforms on' : 'Switch all transforms off',
            run: () => view.setTransforms(allEnabled(transforms, anyOff)),
          },
          { id: 'transform.clear', name: 'Remove all transforms', run: () => view.setTransforms([]) },
        ]),
  ];
}

/** Returns the commands that transform the stacks with functions that the search matches. */
export function searchedCommands(view: Pick<ProfileView, 'store' | 'setTransforms'>): readonly Command[] {
  const { search, searchText, transforms } = view.store.get();
  if (search.status !== 'matched' || search.matches.functions === 0) return [];
  const on = { by: 'pattern', pattern: searchText, ignoreCase: !hasCapital(searchText) } as const;
  const shown = shortenMiddle(visibleText(describePattern(on)), 60);
  const command = (kind: 'drop-without' | 'hide' | 'focus' | 'merge', name: string): Command => ({
    id: `search.${kind}`,
    name: `${name}: ${shown}`,
    run: () => view.setTransforms(added(transforms, { enabled: true, kind, on })),
  });
  return [
    command('drop-without', 'Only stacks matching the search'),
    command('hide', 'Hide stacks matching the search'),
    command('focus', 'Focus on search matches'),
    command('merge', 'Merge search matches into callers'),
  ];
}

/** Returns the commands that transform the stacks with the selected function. */
function pickedCommands(showDialog: Workbench['showDialog'], view: ProfileView): readonly Command[] {
  const { picked, analysis } = view.store.get();
  if (picked === null || analysis === null) return [];
  const functions = analysis.functions ?? view.profile.functions;
  const func = functionRefOf(functions, picked.func);
  const node = picked.revision === analysis.revision ? picked.node : null;
  const name = shortenMiddle(visibleText(func.name.slice(0, 20_000)), 60);
  const items = transformItems({
    target: viewTarget(view),
    func,
    code: functionCode(functions, picked.func),
    place: viewPlace(view, node),
    write: (form) => showDialog({ kind: 'transform', draft: { subject: viewSubject(view), index: null, form } }),
    keysOf: () => null,
  }).flat();
  return items.flatMap(({ id, label, run }) => (id === null ? [] : [{ id, name: `${label}: ${name}`, run }]));
}
