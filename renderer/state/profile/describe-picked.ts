import { OWN_TREE } from '../../analysis/methods.ts';
import type { ProfileClient } from '../clients/worker-client.ts';
import { isOutdated, toProblem } from '../problem.ts';
import type { Store } from '../store.ts';
import type { ViewState } from './view-state.ts';

/** Asks for the stack, callers and callees of the picked function; an answer that comes too late is dropped. */
export async function describePicked(store: Store<ViewState>, own: ProfileClient | null): Promise<void> {
  const { picked, analysis: described } = store.get();
  if (own === null || described === null || picked === null) return;
  const { func } = picked;
  const { revision } = described;
  // Rows of another tree are meaningless in this one; falls back to the function's heaviest row.
  const exactStack = picked.node !== null && picked.revision === revision;
  try {
    const node = exactStack ? picked.node : await own.call('heaviest', { revision, func });
    const [path, neighbours] = await Promise.all([
      node === null ? [] : own.call('path', { revision, tree: OWN_TREE, node }),
      own.call('neighbours', { revision, func }),
    ]);
    const now = store.get();
    if (now.picked !== picked || now.analysis !== described) return;
    store.set({ details: { picked, exactStack, stack: path.slice(1), ...neighbours } });
  } catch (error) {
    const problem = toProblem(error);
    if (!isOutdated(problem)) store.set({ problem });
  }
}
