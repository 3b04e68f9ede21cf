import type { Profile } from '../../model/profile.ts';
import { UNFINISHED_LINE } from '../common-diagnostics.ts';
import type { ImportSession } from '../importer.ts';
import { TextLines, type TextLine } from './text-lines.ts';

/** Builds a profile from the lines of a text. */
export interface LineSession {
  line(line: TextLine): void;
  /** Throws `ImportFailure`. `lastLine` is 1-based. */
  finish(lastLine: number): Profile;
}

/** Returns the session that splits text into lines for another one; a line longer than `maxBytes` is `too-large`. */
export function byLine(session: LineSession, maxBytes?: number): ImportSession {
  const lines = new TextLines((line) => session.line(line), maxBytes);
  return {
    push: (chunk) => lines.push(chunk),
    finish() {
      lines.finish();
      const profile = session.finish(Math.max(1, lines.count));
      const saysWhere = profile.diagnostics.some(({ code }) => code === 'truncated-input');
      const found = lines.diagnostics.list().filter(({ code }) => !saysWhere || code !== UNFINISHED_LINE[0]);
      return { ...profile, diagnostics: [...profile.diagnostics, ...found] };
    },
  };
}
