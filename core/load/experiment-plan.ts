import type { LoadPlan } from '../contract/load/load-test.ts';
import type { LoadProfile } from '../contract/load/profile.ts';
import type { SideServer } from '../contract/load/experiment.ts';
import { quoteArgv } from '../contract/quote-argv.ts';
import type { Side } from '../contract/side.ts';
import { redactArgv } from '../redact/redact-argv.ts';
import { redactText } from '../redact/secret-shapes.ts';
import type { Decision, Question } from './decide.ts';
import { andText } from './load-text.ts';
import { consentNotes } from './plan-load.ts';

export interface Turn {
  readonly side: Side;
  /** Of the side, from 1. */
  readonly round: number;
}

type Sides = Readonly<Record<Side, SideServer>>;

/** Returns the turns of the sides, A B B A: what drifts affects both alike. */
export const turnsOf = (pairs: number): Turn[] =>
  Array.from({ length: pairs }, (_, place): Turn[] => {
    const [first, second]: Side[] = place % 2 === 0 ? ['before', 'after'] : ['after', 'before'];
    return [first!, second!].map((side) => ({ side, round: place + 1 }));
  }).flat();

/** Returns what makes a side, without secrets: its command, or its address. */
function sideText({ url, start, change }: SideServer): string {
  const argv = start ?? change;
  if (argv === null) return redactText(url);
  return argv[0] === 'sh' && argv[1] === '-c' && argv.length === 3 ? redactText(argv[2]!) : quoteArgv(redactArgv(argv));
}

/** Names an experiment by its sides, without folders: `server-old --port 80 → server-new --port 80`. */
export const experimentName = ({ before, after }: Sides): string =>
  [before, after]
    .map((side) => sideText(side).replaceAll(/(?<=^|\s)\.{0,2}\/(?:[^\s/]+\/)*(?=[^\s/])/g, ''))
    .join(' → ')
    .slice(0, 250);

/**
 * Says what will run before it does: a line per side, one of the turns, and what the collector asks the user to accept.
 * `minutes`: null without a question. `watched`: which processes are, a line each. `senders`: names of further machines
 * that send.
 */
export function experimentLines(
  sides: Sides,
  pairs: number,
  { concurrencies, seconds, warmUp, coolDown, staircase, shortConnections }: Omit<LoadPlan, 'url' | 'repeats'>,
  minutes: number | null,
  profile: LoadProfile | null,
  watched: readonly string[] = [],
  senders: readonly string[] = [],
): string[] {
  const isAtKnee = profile?.at === 'knee';
  const runs = concurrencies.length + (isAtKnee ? 1 : 0);
  const each = runs * (seconds + warmUp) + (runs - 1) * coolDown;
  const order = turnsOf(pairs)
    .map(({ side }) => (side === 'before' ? 'A' : 'B'))
    .join(' ');
  const urls = [...new Set([sides.before.url, sides.after.url].map(redactText))].join(' or ');
  const how = [
    ...(shortConnections === true ? ['a new one for each request'] : []),
    ...(senders.length === 0 ? [] : [`divided among ${andText(['this machine', ...senders])}`]),
  ];
  const before = staircase === true ? 'to rise to them' : 'of warm-up';
  const loads = `Each turn loads ${urls} with ${concurrencies.join(', ')} connections${how.map((one) => `, ${one}`).join('')}${how.length === 0 ? '' : ','} for ${seconds} s each, after ${warmUp} s ${before}`;
  return [
    `A, before: ${sideText(sides.before)}`,
    `B, after:  ${sideText(sides.after)}`,
    minutes === null
      ? `In turn: ${order}. ${loads}: at least ${2 * pairs * each} s in all.`
      : `In turn: A B B A…. ${loads}: for about ${minutes} min, at most ${pairs} turns of each side.`,
    ...(isAtKnee ? ['Each turn ends with one more run for the profile, at the knee of the first turn before.'] : []),
    ...watched,
    ...consentNotes([profile?.collector]),
  ];
}

/** Says what a question came to. */
export function decisionText({ metric, smallerThan }: Question, decision: Decision | null): string {
  if (decision === null) return `${metric.label} is not decided: the turns and minutes were too few for its noise.`;
  return decision === 'smaller'
    ? `No difference larger than ${Number((100 * smallerThan!).toPrecision(6))} % in ${metric.label}.`
    : `${metric.label} ${decision}.`;
}
