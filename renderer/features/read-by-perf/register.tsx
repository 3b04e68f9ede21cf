import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import { perfSourceOf } from '../../state/read-by-perf/perf-sources.ts';

const ReadByPerfDialog = onDemand(() => import('./read-by-perf-dialog.tsx').then((part) => part.ReadByPerfDialog));
const ReadByGoDialog = onDemand(() => import('./read-by-go-dialog.tsx').then((part) => part.ReadByGoDialog));

export const readByPerf = {
  commands: ({ store, showDialog }, active) => {
    const tab = asProfileTab(active);
    const source = tab === null ? null : perfSourceOf(tab, store.get().captures);
    if (source === null) return [];
    return [
      { id: 'tab.read-by-perf', name: 'Read with perf…', run: () => showDialog({ kind: 'read-by-perf', source }) },
    ];
  },
  dialogs: {
    'read-by-perf': ({ dialog }) => <ReadByPerfDialog source={dialog.source} />,
    'read-by-go': ({ dialog }) => <ReadByGoDialog source={dialog.source} />,
  },
} satisfies Registration;
