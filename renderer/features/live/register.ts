import type { Registration } from '../../state/features.ts';
import type { Command } from '../../state/command.ts';
import type { LiveControl } from '../../state/live/control.ts';
import { asProfileTab } from '../../state/tabs/open-tab.ts';
import type { Workbench } from '../../state/workbench.ts';
import { SPIKE_SECONDS } from './spike.ts';
import { loadPart } from '../../ui/load-part.ts';

export const live = {
  commands: (workbench, active) => {
    const control = asProfileTab(active)?.live;
    const run = (): void => workbench.showDialog({ kind: 'record', purpose: { kind: 'live' } });
    return [{ id: 'live.show', name: 'Watch live…', run }, ...(control ? liveCommands(workbench, control) : [])];
  },
} satisfies Registration;

function liveCommands(workbench: Workbench, { store, setPaused, reset, stop, ...live }: LiveControl): Command[] {
  const command = (id: string, name: string, action: () => unknown): Command => ({
    id: `live.${id}`,
    name: `Live: ${name}`,
    run: () => void Promise.resolve().then(action).catch(workbench.report),
  });
  const save = (seconds: number | null) => async (): Promise<void> => {
    const { saveLive } = await loadPart(() => import('./save-live.ts'));
    await saveLive(workbench, live, seconds);
  };
  const { paused, status } = store.get();
  return [
    command('pause', paused ? 'resume' : 'pause', () => setPaused(!paused)),
    command('pin', 'pin this moment as the baseline', () => live.pin(null)),
    ...(status?.baseline ? [command('unpin', 'remove the baseline', live.unpin)] : []),
    // A recording keeps its samples by itself.
    ...(status?.recordingId === undefined
      ? [
          command('save-spike', `save the last ${SPIKE_SECONDS} s`, save(SPIKE_SECONDS)),
          command('save', 'save everything', save(null)),
          command('reset', 'forget the samples so far', reset),
          command('stop', 'stop', stop),
        ]
      : []),
  ];
}
