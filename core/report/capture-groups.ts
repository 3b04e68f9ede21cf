import { colourSlots, type ColourScheme } from '../colour/frame-colour.ts';
import { usualColourMode } from '../colour/usual-mode.ts';
import { functionFacts } from '../model/function-facts.ts';
import type { PreparedCapture } from './prepare.ts';

/** Number of heaviest functions whose groups get colours of their own. */
const HEAVIEST = 200;

/** Returns a capture's colour mode, and the slots of its heaviest groups, so that their colours differ. */
export function captureGroups({ stacks, stats }: PreparedCapture): Pick<ColourScheme, 'mode' | 'slots'> {
  const names = stacks.profile;
  const mode = usualColourMode(names);
  const heaviest = [...stats.func.keys()]
    .sort((a, b) => stats.self[b]! - stats.self[a]!)
    .slice(0, HEAVIEST)
    .map((row) => functionFacts(names, stats.func[row]!));
  return { mode, slots: colourSlots(heaviest, mode) };
}
