import '../../ui/pins.css';
import type { Registration } from '../../state/features.ts';
import { noteCommands } from './commands.ts';

export const notes = {
  commands: (workbench, active) => (active === null ? [] : noteCommands(workbench, active)),
} satisfies Registration;
