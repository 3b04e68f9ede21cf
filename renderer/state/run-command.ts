import { createContext, useContext } from 'react';

/** Runs a command of the palette by its id, where it can be run now; the shell, which knows all commands, provides it. */
export const RunCommandContext = createContext<((id: string) => void) | null>(null);

export function useRunCommand(): (id: string) => void {
  const run = useContext(RunCommandContext);
  if (run === null) throw new Error('rendered outside of the workbench');
  return run;
}
