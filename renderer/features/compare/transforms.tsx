import type { ReactElement } from 'react';
import { describeFound } from '#core/analyze/transforms/describe-transform.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { format } from '../../ui/format.ts';
import type { ChipEffect } from '../../state/transforms/chip-effect.ts';
import { ChipList } from '../transforms/chip-list.tsx';
import type { Compared, ComparedSideRows } from '../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import { newDraft } from '../../state/transforms/draft.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { compareSubject, compareTarget } from '../../state/compare/transform-both.ts';

/** The transforms of both sides in order, with what they hide of each. */
export function CompareTransforms({ compared }: { compared: Compared }): ReactElement {
  const tab = useCompare();
  const { showDialog } = useWorkbench();
  const transforms = useCompareState((state) => state.options.transforms);
  // Otherwise the comparison still belongs to an earlier list.
  const current = useCompareState((state) => state.comparing === null && state.problem === null);
  const [before, after] = [hiddenShare(compared.before), hiddenShare(compared.after)];
  return (
    <ChipList
      label="Applied to both sides"
      target={compareTarget(tab)}
      transforms={transforms}
      effects={current ? effects(transforms, compared.found) : null}
      ways={{
        edit: (index) => {
          showDialog({ kind: 'transform', draft: { subject: compareSubject(tab, compared), index, form: {} } });
        },
        others: [
          {
            label: 'Add transform…',
            run: () => showDialog({ kind: 'transform', draft: newDraft(compareSubject(tab, compared)) }),
          },
        ],
      }}
      start={null}
      end={
        (before > 0 || after > 0) && (
          <li className="dim hidden-weight" title="Weight hidden by transforms, over all captures of each side">
            left out: {format.share(before, 1)} before, {format.share(after, 1)} after
          </li>
        )
      }
    />
  );
}

function effects(transforms: readonly NamedTransform[], found: Compared['found']): readonly ChipEffect[] {
  if (found.length !== transforms.length) return [];
  return transforms.map((transform, index) => {
    const finds = found[index] ?? null;
    if (finds === null) return { text: 'off', title: 'Switched off.', nothing: false };
    const title = `Found ${describeFound(transform, finds)} in all captures.`;
    return { text: finds === 0 ? 'finds nothing' : '', title, nothing: finds === 0 };
  });
}

/** Returns the mean share over captures, whose units may differ. */
function hiddenShare({ captures }: ComparedSideRows): number {
  const shares = captures.map(({ weight, hidden }) => (weight + hidden === 0 ? 0 : hidden / (weight + hidden)));
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}
