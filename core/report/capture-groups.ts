import { colourSlots, type ColourScheme } from '../colour/frame-colour.ts';
import { usualColourMode } from '../colour/usual-mode.ts';
import { functionFacts } from '../analyze/graph/tree-source.ts';
import type { PreparedCapture } from './prepare.ts';

/** Functions looked at for groups that get colours of their own. */
const HEAVIEST = 200;

/** By what a capture's frames share a colour, and the places of its heaviest groups, so that they differ. */
export function captureGroups({ stacks, stats }: PreparedCapture): Pick<ColourScheme, 'mode' | 'slots'> {
  const names = stacks.profile;
  const mode = usualColourMode(names);
  const heaviest = [...stats.func.keys()]
    .sort((a, b) => stats.self[b]! - stats.self[a]!)
    .slice(0, HEAVIEST)
    .map((row) => functionFacts(names, stats.func[row]!));
  return { mode, slots: colourSlots(heaviest, mode) };
}
