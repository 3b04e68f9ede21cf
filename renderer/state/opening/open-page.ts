import type { NoteChange } from '#core/contract/notes.ts';
import type { ReportNote } from '#core/contract/report.ts';
import type { SideName } from '../../analysis/comparison/protocol.ts';
import type { CompareInput } from '../compare/compare.types.ts';
import type { CompareSeed } from '../compare/seed.ts';
import type { OpenTab } from '../tabs/open-tab.ts';
import { readSaved } from './read-saved.ts';

/** The workbench's functions for opening tabs. */
interface Opening {
  readonly compare: (seed: Pick<CompareSeed, SideName> & Partial<CompareSeed>) => void;
  readonly fileInput: (file: File) => CompareInput;
  readonly openFile: (file: File) => void;
  /** Returns the tab that was opened last. */
  readonly lastTab: () => OpenTab | undefined;
}

/** Opens all captures of a saved report, compared as the report compares them; any other page as a file. */
export async function openPage(file: File, { compare, fileInput, openFile, lastTab }: Opening): Promise<void> {
  const saved = await readSaved(file);
  if (saved === null || saved.report.captures.length === 0) return openFile(file);
  const { comparison, title, captures, notes } = saved.report;
  const added = (of: readonly ReportNote[]): NoteChange => ({ put: of.map(({ note }) => note), remove: [] });
  if (comparison === null) {
    for (const { id } of captures) {
      openFile(saved.files.get(id)!);
      const tab = lastTab();
      const own = notes.filter(({ on }) => on === id);
      if (tab?.kind === 'profile' && own.length > 0) tab.notes.change(added(own));
    }
    return undefined;
  }
  const { normalisation, rules, factors } = comparison;
  const side = (name: SideName): CompareInput[] =>
    comparison[name].captures.map(({ capture, requests }, place) => ({
      ...fileInput(saved.files.get(capture)!),
      requests,
      ...(typeof factors === 'object' ? { size: factors[name][place]! } : {}),
    }));
  compare({ name: title, before: side('before'), after: side('after') });
  const tab = lastTab();
  if (tab?.kind !== 'compare') return undefined;
  tab.setOptions({ normalisation, rules });
  // Includes notes on single captures, since only the comparison is open to show them.
  if (notes.length > 0) tab.notes.change(added(notes));
  return undefined;
}
