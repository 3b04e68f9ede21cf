import { writeFolded } from '#core/export/folded.ts';
import type { Profile } from '#core/model/profile.ts';

/** Returns the folded text that Flamebench writes for a profile. */
export function foldedText(profile: Profile): string {
  const decoder = new TextDecoder();
  let text = '';
  writeFolded(profile, {}, (chunk) => (text += decoder.decode(chunk, { stream: true })));
  return text;
}

/** Sums the weights of each stack. */
export function foldedLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const blank = line.lastIndexOf(' ');
    const stack = line.slice(0, blank);
    lines.set(stack, (lines.get(stack) ?? 0) + Number(line.slice(blank + 1)));
  }
  return lines;
}

/** Computes `self\ttotal` by name; a name counts once per stack. */
export function selfAndTotal(folded: ReadonlyMap<string, number>): Map<string, string> {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  for (const [stack, weight] of folded) {
    const names = stack.split(';');
    self.set(names.at(-1)!, (self.get(names.at(-1)!) ?? 0) + weight);
    for (const name of new Set(names)) total.set(name, (total.get(name) ?? 0) + weight);
  }
  return new Map([...total].map(([name, weight]) => [name, `${self.get(name) ?? 0}\t${weight}`]));
}

/** Reads `self\ttotal` by name from a tool's rollup. */
export function rollupLines(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = '', values = ''] = /^(.*)\t(\d+\t\d+)$/.exec(line) ?? [];
      return [name, values];
    }),
  );
}

/** Returns at most five lines that only one side has. */
export function differences<T>(ours: ReadonlyMap<string, T>, theirs: ReadonlyMap<string, T>): string[] {
  const missing = [...theirs].filter(([name, value]) => ours.get(name) !== value).map((line) => `- ${line.join(' ')}`);
  const extra = [...ours].filter(([name, value]) => theirs.get(name) !== value).map((line) => `+ ${line.join(' ')}`);
  return [...missing.slice(0, 5), ...extra.slice(0, 5)];
}
