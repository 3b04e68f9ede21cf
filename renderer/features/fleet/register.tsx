import { functionName } from '../../state/function-text.ts';
import type { CompareTab } from '../../state/compare/compare.types.ts';
import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';
import type { FleetCarriers } from '../../state/workbench-state.ts';

const FleetDialog = onDemand(() => import('./fleet-dialog.tsx').then((part) => part.FleetDialog));

export const fleet = {
  commands: ({ showDialog }, active) => {
    const carriers = active?.kind === 'compare' ? carriersOf(active) : null;
    return [
      { id: 'fleet.open', name: 'Fleet…', run: () => showDialog({ kind: 'fleet' }) },
      ...(carriers === null
        ? []
        : [
            {
              id: 'fleet.carriers',
              name: 'Show the captures of the fleet that carry the selected function',
              run: () => showDialog({ kind: 'fleet', carriers }),
            },
          ]),
    ];
  },
  dialogs: {
    fleet: ({ dialog }) => <FleetDialog {...(dialog.carriers === undefined ? {} : { carriers: dialog.carriers })} />,
  },
} satisfies Registration;

/** Returns the selected function of a comparison of a fleet; null for other comparisons. */
function carriersOf({ store }: CompareTab): FleetCarriers | null {
  const { before, after, picked, analysis } = store.get();
  const [one, other] = [before.captures[0]?.origin, after.captures[0]?.origin];
  if (picked === null || analysis === null || one?.kind !== 'fleet' || other?.kind !== 'fleet') return null;
  const { store: file, type } = one;
  return {
    store: file,
    type,
    before: one.filter,
    after: other.filter,
    name: functionName(analysis.functions, picked.func),
  };
}
