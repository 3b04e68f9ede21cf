import { describe, expect, test } from 'vitest';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { createStore } from '../../../../renderer/state/store.ts';
import { initialViewState } from '../../../../renderer/state/profile/view-state.ts';
import type { ViewState } from '../../../../renderer/state/profile/view-state.ts';
import { searchedCommands } from '../../../../renderer/features/transforms/commands.ts';

const matched = (functions: number): ViewState['search'] => ({
  status: 'matched',
  matches: { flags: new Uint8Array(1), functions, weight: 1 },
  revision: 1,
});

function commandsOf(searchText: string, search: ViewState['search']) {
  const store = createStore({ ...initialViewState(0 as ValueTypeIndex), searchText, search });
  const set: (readonly NamedTransform[])[] = [];
  return { set, commands: searchedCommands({ store, setTransforms: (transforms) => set.push(transforms) }) };
}

describe('commands for the search', () => {
  test('are transforms with its pattern and case sensitivity', () => {
    const { set, commands } = commandsOf('json', matched(3));
    expect(commands.map(({ name }) => name)).toEqual([
      'Only stacks matching the search: /json/i',
      'Hide stacks matching the search: /json/i',
      'Focus on search matches: /json/i',
      'Merge search matches into callers: /json/i',
    ]);
    for (const { run } of commands) run();
    const on = { by: 'pattern', pattern: 'json', ignoreCase: true };
    expect(set).toEqual(['drop-without', 'hide', 'focus', 'merge'].map((kind) => [{ enabled: true, kind, on }]));
    expect(commandsOf('Json', matched(1)).commands[0]?.name).toContain('/Json/');
  });

  test('are not offered without matches', () => {
    expect(commandsOf('json', matched(0)).commands).toEqual([]);
    expect(commandsOf('', { status: 'none' }).commands).toEqual([]);
  });
});
