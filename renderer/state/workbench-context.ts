import { createContext, useContext } from 'react';
import { useStore } from './store.ts';
import type { WorkbenchState } from './workbench-state.ts';
import type { Workbench } from './workbench.ts';

export const WorkbenchContext = createContext<Workbench | null>(null);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (workbench === null) throw new Error('rendered outside of the workbench');
  return workbench;
}

/** Returns a part of the workbench's state; `useStore` says what `select` may return. */
export function useWorkbenchState<R>(select: (state: WorkbenchState) => R): R {
  return useStore(useWorkbench().store, select);
}
