import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '#core/contract/settings.ts';
import type { Settings, SettingsChange } from '#core/contract/settings-schema.ts';
import { createPreferences } from '../../../renderer/state/preferences.ts';

function start(initial?: Settings) {
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const write = vi.fn(
    (_change: SettingsChange) =>
      new Promise<void>((resolve, reject) => {
        answers.push({ resolve, reject });
      }),
  );
  const report = vi.fn();
  const isLost = (error: unknown): boolean => error instanceof Error && error.message === 'lost';
  return { preferences: createPreferences({ write, report, isLost }, initial), write, report, answers };
}

const settled = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

describe('preferences', () => {
  it('start with the defaults, and do not send the details page to the engine', () => {
    const { preferences, write } = start();
    expect(preferences.get()).toMatchObject({ theme: 'system', split: 0.62, detailsPage: 'summary' });
    preferences.set({ detailsPage: 'diagnostics' });
    expect(write).not.toHaveBeenCalled();
  });

  it('start with the settings received from the engine, including its layout', () => {
    const { preferences, write } = start({ ...DEFAULT_SETTINGS, theme: 'light', split: 0.4, sidebarPx: 400 });
    expect(preferences.get()).toMatchObject({ theme: 'light', split: 0.4, sidebarPx: 400, detailsPage: 'summary' });
    expect(write).not.toHaveBeenCalled();
  });

  it('show the graph alone until another pane is requested', () => {
    const { preferences, write } = start();
    preferences.set({ graphAlone: true });
    preferences.set({ split: 0.3, detailsOpen: false });
    expect(preferences.get().graphAlone).toBe(true);
    preferences.set({ table: 'tree' });
    expect(preferences.get().graphAlone).toBe(false);
    for (const change of [{ detailsOpen: true }, { detailsPage: 'source' as const }]) {
      preferences.set({ graphAlone: true });
      preferences.set(change);
      expect(preferences.get().graphAlone).toBe(false);
    }
    expect(JSON.stringify(write.mock.calls)).not.toContain('graphAlone');
  });

  it('change immediately, and are sent to the engine one after another, merged', async () => {
    const { preferences, write, answers } = start();
    preferences.set({ theme: 'dark' });
    preferences.set({ split: 0.3 });
    preferences.set({ split: 0.4 });
    expect(preferences.get()).toMatchObject({ theme: 'dark', split: 0.4 });
    expect(write.mock.calls).toEqual([[{ theme: 'dark' }]]);
    answers[0]?.resolve();
    await settled();
    expect(write.mock.calls.slice(1)).toEqual([[{ split: 0.4 }]]);
  });

  it('apply another window’s settings, but neither its layout nor an older value', () => {
    const { preferences } = start();
    preferences.set({ digits: 5 });
    preferences.receive({ ...DEFAULT_SETTINGS, theme: 'light', digits: 4, sidebarPx: 400, detailsOpen: false });
    expect(preferences.get()).toMatchObject({ theme: 'light', digits: 5, sidebarPx: 232, detailsOpen: true });
  });

  it('are sent again when the engine is back', async () => {
    const { preferences, write, report, answers } = start();
    preferences.set({ theme: 'dark' });
    answers[0]?.reject(new Error('lost'));
    await settled();
    preferences.change({ keys: { 'graph.copy': ['Y'] } });
    expect(report).not.toHaveBeenCalled();
    expect(write.mock.lastCall).toEqual([{ theme: 'dark', keys: { 'graph.copy': ['Y'] } }]);
  });

  it('apply here if they cannot be stored, which is reported', async () => {
    const { preferences, report, answers } = start();
    preferences.set({ theme: 'dark' });
    answers[0]?.reject(new Error('disk full'));
    await settled();
    expect(report).toHaveBeenCalledOnce();
    expect(preferences.get().theme).toBe('dark');
  });
});
