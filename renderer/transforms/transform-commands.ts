import type { ProfileView } from '../state/profile-view.ts';
import type { Workbench } from '../state/workbench.ts';
import { openTransforms, saveTransforms } from './rule-files.ts';
import { allEnabled } from './transform-list.ts';

interface TransformCommand {
  readonly id: string;
  readonly name: string;
  readonly run: () => void;
}

/** What can be done to a view's transforms without pointing at a function. */
export function transformCommands(
  { showDialog, notify }: Pick<Workbench, 'showDialog' | 'notify'>,
  view: ProfileView,
): readonly TransformCommand[] {
  const { transforms } = view.store.get();
  const anyOff = transforms.some(({ enabled }) => !enabled);
  return [
    {
      id: 'transform.add',
      name: 'Add transform…',
      run: () => {
        showDialog({ kind: 'transform', draft: { view, index: null, form: {} } });
      },
    },
    {
      id: 'view.export',
      name: 'Export what is seen…',
      run: () => {
        showDialog({ kind: 'export', view });
      },
    },
    {
      id: 'transform.open',
      name: 'Open transforms…',
      run: () => {
        openTransforms(notify, view);
      },
    },
    ...(transforms.length === 0
      ? []
      : [
          {
            id: 'transform.save',
            name: 'Save transforms…',
            run: () => {
              saveTransforms(transforms);
            },
          },
          {
            id: 'transform.switch',
            name: anyOff ? 'Switch all transforms on' : 'Switch all transforms off',
            run: () => {
              view.setTransforms(allEnabled(transforms, anyOff));
            },
          },
          {
            id: 'transform.clear',
            name: 'Remove all transforms',
            run: () => {
              view.setTransforms([]);
            },
          },
        ]),
  ];
}
