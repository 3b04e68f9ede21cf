import { visibleText } from '../analyze/function-label.ts';
import type { PreparedCapture } from './prepare.ts';

/** More names do not help to tell captures apart. */
const MOST_NAMES = 5;

/**
 * Describes the threads, time and filters that captures were cut to, one sentence for all with the same
 * view. Empty: all captures are whole. The lines of a view contain the details.
 */
export function viewSentences(captures: Iterable<PreparedCapture>): string[] {
  const all = [...captures];
  return [...Map.groupBy(all, viewWords)].flatMap(([words, same]) => {
    if (words === '') return [];
    const of = same.length === all.length ? '' : ` of ${listed(same.map(({ name }) => visibleText(name)))}`;
    return [`View${of}: ${words}.`];
  });
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Returns the parts of a capture's view, separated by semicolons; the lines are those of `describeView`. */
const viewWords = ({ view }: PreparedCapture): string =>
  view
    .flatMap((line) => partWords(line) ?? [])
    .map(visibleText)
    .join('; ');

function partWords(line: string): string | null {
  const [, threads = null] = /^threads: \((?!all )(.*)\)$/s.exec(line) ?? [];
  if (threads !== null) return `threads ${threads}`;
  const range = /^time: \(from (-?[\d.]+) to before (-?[\d.]+) nanoseconds of the capture's clock(.*)\)$/s.exec(line);
  if (range !== null) return `time ${seconds(range[1]!)} to ${seconds(range[2]!)}${range[3]!}`;
  const [, transform = null, effect = ''] = /^transform \d+: (.*) \((.*?)\)$/s.exec(line) ?? [];
  return effect === 'off' ? null : transform;
}

const seconds = (nanoseconds: string): string => `${Number(nanoseconds) / 1e9} s`;
