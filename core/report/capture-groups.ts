import { colourSlots, type ColourScheme } from '../colour/frame-colour.ts';
import { usualColourMode } from '../colour/usual-mode.ts';
import { functionFacts } from '../model/function-facts.ts';
import type { FunctionIndex } from '../model/brand.ts';
import type { PreparedCapture } from './prepare.ts';

/** Number of heaviest functions whose groups get colours of their own. */
const HEAVIEST = 200;

/** Returns a capture's colour mode, and the slots of its heaviest groups, so that their colours differ. */
export function captureGroups({ stacks, stats }: PreparedCapture): Pick<ColourScheme, 'mode' | 'slots'> {
  const names = stacks.profile;
  const heaviest = [...stats.func.keys()]
    .sort((a, b) => stats.self[b]! - stats.self[a]!)
    .slice(0, HEAVIEST)
    .map((row) => stats.func[row]! as FunctionIndex);
  const mode = usualColourMode(names, heaviest);
  const facts = heaviest.map((func) => functionFacts(names, func));
  return { mode, slots: colourSlots(facts, mode) };
}
