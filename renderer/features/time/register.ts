import type { Registration } from '../../state/features.ts';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import { timeCommands } from './commands.ts';

export const time = {
  commands: ({ parts }, active) => {
    const view = asProfileTab(active)?.store.get().activeView ?? null;
    return view === null ? [] : timeCommands(parts, view);
  },
} satisfies Registration;
