import { formatShare } from '#core/units/format.ts';
import type { CommandRow } from '../command.ts';
import { inputError, usageError } from '../errors.ts';
import { catchOutput } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';
import { NOT_READ, quoted } from './answer.ts';
import { checkUnchanged, findFile, type Allowed, type OpenCapture } from './captures.ts';

/** The JSON of a command and what it said on stderr. */
interface Told<T> {
  readonly json: T;
  readonly said: string;
}

interface SummaryDocument {
  readonly name: string;
  readonly valueType: { readonly type: string; readonly unit: string };
  readonly samples: number | null;
  readonly quality: Readonly<Record<'lost' | 'unresolved' | 'unrooted' | 'truncated', number>> | null;
  readonly receipt: { readonly samples: number; readonly withoutStack: number } | null;
}

/** What an agent has opened, and the commands that answer about it. */
export interface Session {
  readonly allowed: Allowed;
  readonly captures: () => readonly OpenCapture[];
  capture(handle: string): OpenCapture;
  open(input: string): Promise<OpenCapture>;
  /** Runs a command with `--json`. */
  tell<T>(name: string, options: readonly string[], words: readonly string[]): Promise<Told<T>>;
}

export function createSession(commands: readonly CommandRow[], allowed: Allowed): Session {
  const opened: OpenCapture[] = [];
  const library = allowed.library === undefined ? [] : [`--library=${allowed.library}`];

  const tell = async <T>(name: string, options: readonly string[], words: readonly string[]): Promise<Told<T>> => {
    const row = commands.find((one) => one.name === name)!;
    // All options have the form --name=value and what an agent wrote follows --, so that no value becomes an option.
    const { printed, said } = await catchOutput(() => runCommand(row, [...options, '--json', '--', ...words]));
    return { json: JSON.parse(printed) as T, said };
  };

  return {
    allowed,
    captures: () => opened,
    capture(handle) {
      const found = opened.find((one) => one.handle === handle);
      if (found === undefined) throw usageError(`${handle} is not a handle`, 'open returns handles');
      checkUnchanged(found, allowed);
      return found;
    },
    async open(input) {
      const file = findFile(input, allowed.roots);
      const word = file?.path ?? (await findId(input, allowed));
      const handle = `h${opened.length + 1}`;
      const { json } = await tell<SummaryDocument>('summary', library, [word]);
      const capture = { handle, word, file, facts: `${handle} ${factsOf(json)}` };
      checkUnchanged(capture, allowed);
      opened.push(capture);
      return capture;
    },
    tell: (name, options, words) => tell(name, name === 'doctor' ? options : [...library, ...options], words),
  };
}

/** Returns the id of the capture that a word means. */
async function findId(input: string, { roots, library: folder }: Allowed): Promise<string> {
  if (folder !== undefined) {
    const { openCliLibrary } = await import('../library/open-library.ts');
    const { findCapture } = await import('../library/find-input.ts');
    const library = await openCliLibrary(folder);
    try {
      return (await findCapture(library, input)).id;
    } finally {
      library.close();
    }
  }
  const where = roots.map((root) => `below ${root}`).join(' or ');
  throw inputError(`no file ${input} ${where}`, 'name one there; links that lead out are refused');
}

/** Returns one line: what was read, and which shares of it were sampled and could not be attributed. */
function factsOf({ name, valueType, samples, quality, receipt }: SummaryDocument): string {
  const share = (value: number): string => formatShare(value, 1);
  const sampled =
    quality === null
      ? NOT_READ
      : quality.lost === 0
        ? '100 % (no lost samples reported)'
        : `${share(1 - quality.lost)} (${share(quality.lost)} lost)`;
  const unattributed =
    quality === null
      ? NOT_READ
      : `${share(quality.unresolved)} without a name, ${share(quality.unrooted)} without callers, ${share(quality.truncated)} with cut stacks`;
  const withoutStack = receipt === null ? NOT_READ : `${receipt.withoutStack} of ${receipt.samples}`;
  return `${quoted(name)}: ${quoted(`${valueType.type} (${valueType.unit})`)}, ${samples ?? NOT_READ} ${samples === 1 ? 'sample' : 'samples'}; sampled share: ${sampled}; unattributed share: ${unattributed}; samples without a stack: ${withoutStack}`;
}
