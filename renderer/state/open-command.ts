import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { WorkbenchState } from './workbench-state.ts';

/** Returns the `flamebench open` command for inputs; `inLibrary` says that some of them are IDs of the library. */
export function openCommand(
  { engine }: Pick<WorkbenchState, 'engine'>,
  {
    inputs,
    inLibrary,
    view,
  }: { readonly inputs: readonly string[]; readonly inLibrary: boolean; readonly view: string },
): string {
  const isNamed = inLibrary && engine !== null && !engine.isDefaultLibrary;
  const library = isNamed ? ['--library', engine.libraryPath] : [];
  return quoteArgv(['flamebench', 'open', ...inputs, ...library, '--view', view]);
}
