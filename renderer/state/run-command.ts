import { createContext, useContext } from 'react';

/** Runs a palette command by its ID, if it is available. The shell provides it. */
export const RunCommandContext = createContext<((id: string) => void) | null>(null);

export function useRunCommand(): (id: string) => void {
  const run = useContext(RunCommandContext);
  if (run === null) throw new Error('rendered outside of the workbench');
  return run;
}
