import type { EngineClient } from './engine-client.ts';
import type { Store } from './store.ts';
import type { WorkbenchState } from './workbench-state.ts';

export interface EngineAndStore {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
}

/** The file that is opened of a capture of the library. */
export async function primaryFile({ engine, store }: EngineAndStore, captureId: string): Promise<string> {
  const known = store.get().captures?.find(({ id }) => id === captureId);
  return (known ?? (await engine.call('library.get', { id: captureId }))).primaryFile;
}
