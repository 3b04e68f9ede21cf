import type { Command } from '../../state/command.ts';
import type { Parts } from '../../ui/parts.tsx';

/** Returns the commands that copy the table on screen. */
export const copyTableCommands = (parts: Parts): Command[] => [
  { id: 'table.copy-rows', name: 'Copy the rows of the table', run: () => parts.run('table.copy-rows') },
  { id: 'table.copy-markdown', name: 'Copy table as Markdown', run: () => parts.run('table.copy-rows', 'md') },
  { id: 'table.copy-png', name: 'Copy table as PNG', run: () => parts.run('table.copy-rows', 'png') },
];
