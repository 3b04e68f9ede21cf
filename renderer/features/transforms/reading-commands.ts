import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { Command } from '../../state/command.ts';
import { GRANULARITY_ROWS } from '../../state/transforms/granularity-rows.ts';
import type { TransformForm } from '../../state/transforms/form.ts';
import {
  granularityOf,
  showsInlines,
  toggledLabel,
  withGranularity,
  withInlines,
} from '../../state/transforms/list.ts';
import type { TransformTarget } from '../../state/transforms/target.ts';

/** Maximum number of label keys with their own commands; the others must be typed. */
const MAX_KEYS = 20;

/**
 * Returns the commands for granularity, inlined functions and labels of a view or of both sides. `write` opens the
 * dialog.
 */
export function readingCommands(
  { transforms, setTransforms }: TransformTarget,
  labelKeys: readonly string[],
  write: (form: Partial<TransformForm>) => void,
): Command[] {
  const list = transforms();
  const chosen = granularityOf(list);
  const inlines = showsInlines(list);
  return [
    ...GRANULARITY_ROWS.filter(({ rows }) => rows !== chosen).map(({ rows, name }) => ({
      id: `granularity.${rows ?? 'recorded'}`,
      name: `Granularity: ${name}`,
      run: () => setTransforms(withGranularity(list, rows)),
    })),
    {
      id: 'granularity.inlines',
      name: inlines ? 'Count inlined functions as their caller (noinlines)' : 'Show inlined functions',
      run: () => setTransforms(withInlines(list, !inlines)),
    },
    ...(labelKeys.length === 0
      ? []
      : [
          {
            id: 'labels.filter',
            name: 'Filter by label… (tagfocus, tagignore)',
            run: () => write({ kind: 'keep-label', by: 'all' }),
          },
        ]),
    ...labelKeys.slice(0, MAX_KEYS).flatMap((key) =>
      (['label-root', 'label-leaf'] as const).map((kind) => {
        const isOn = list.some((one) => one.kind === kind && one.key === key && one.enabled);
        const place = kind === 'label-root' ? 'root' : 'leaf';
        const named = shortenMiddle(visibleText(key), 40);
        return {
          id: `${kind}.${key}`,
          name: isOn
            ? `Stop grouping by label ${named} (${place})`
            : `Group by label ${named} at the ${place} (tag${place})`,
          run: () => setTransforms(toggledLabel(list, kind, key)),
        };
      }),
    ),
  ];
}
