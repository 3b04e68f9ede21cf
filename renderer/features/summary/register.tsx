import { showDetails } from '../../state/window-fit.ts';
import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { asProfileTab } from '../../state/tabs/open-tab.ts';

const KindRulesDialog = onDemand(() => import('./kind-rules-dialog.tsx').then((part) => part.KindRulesDialog));

export const summary = {
  commands: ({ preferences, showDialog }, active) =>
    (asProfileTab(active)?.store.get().activeView ?? null) === null
      ? []
      : [
          {
            id: 'summary.show',
            name: 'Show the summary',
            run: () => showDetails(preferences, 'summary'),
          },
          { id: 'summary.rules', name: 'Rules for kinds of work…', run: () => showDialog({ kind: 'kind-rules' }) },
        ],
  dialogs: { 'kind-rules': () => <KindRulesDialog /> },
} satisfies Registration;
