import * as z from 'zod';
import { SHOWN_FUNCTIONS } from '../diff/options.ts';
import { noteLines, quoted, tablePage } from './answer.ts';
import { diffLines } from './diff.ts';
import { handle, optionsOf, page, sort, tool, view, type McpTool } from './tool.ts';

/** Tools that answer about several profiles, or about this machine. */
export const comparisonTools: readonly McpTool[] = [
  tool({
    name: 'diff',
    description:
      'Compares profiles: verdicts as sentences, and functions with before, after, delta, interval and verdict. Name all runs of a side: one run a side gives "maybe" at best. "no clear change" does not mean unchanged.',
    input: z.object({
      before: z.array(handle).min(1).max(100),
      after: z.array(handle).min(1).max(100),
      sort,
      show: z.enum(SHOWN_FUNCTIONS).default('all'),
      type: view.type,
      ...page,
    }),
    async answer(session, { before, after, type, ...asked }) {
      const sides = [before, after].map((side) => side.map((of) => session.capture(of)));
      const [wordsBefore, wordsAfter] = sides.map((side) => side.map(({ word }) => word));
      const { lines, said } = await diffLines({
        ...asked,
        type,
        library: session.allowed.library,
        before: wordsBefore!,
        after: wordsAfter!,
      });
      const [factsBefore, factsAfter] = sides.map((side) => side.map(({ facts }) => facts));
      return [
        ...factsBefore!.map((facts) => `before ${facts}`),
        ...factsAfter!.map((facts) => `after ${facts}`),
        ...noteLines(said),
        ...lines,
      ];
    },
  }),
  tool({
    name: 'explain',
    description:
      'The finding of one profile, or of before and after, as claims with spread, basis, environment, other causes and remaining doubt.',
    input: z.object({
      before: z.array(handle).max(100).default([]).describe('empty for one profile'),
      after: z.array(handle).min(1).max(100).describe('or the one profile'),
      type: view.type,
      offset: page.offset,
      limit: page.limit.default(60),
    }),
    async answer(session, { before, after, type, offset, limit }) {
      interface Labelled {
        readonly label: string;
        readonly text: string;
      }
      interface Explanation {
        readonly answer: string;
        readonly claims: readonly {
          readonly handle: { readonly function: string } | null;
          readonly text: string;
          readonly spread: string | null;
        }[];
        readonly basis: readonly string[];
        readonly environment: readonly Labelled[];
        readonly alternatives: readonly (Labelled & { readonly status: string })[];
        readonly doubts: readonly string[];
      }
      const sides = [before, after].map((side) => side.map((of) => session.capture(of)));
      const [wordsBefore, wordsAfter] = sides.map((side) => side.map(({ word }) => word));
      const isOne = before.length === 0 && after.length === 1;
      const named = isOne
        ? []
        : [...wordsBefore!.map((word) => `--before=${word}`), ...wordsAfter!.map((word) => `--after=${word}`)];
      const { json, said } = await session.tell<Explanation>(
        'explain',
        [...optionsOf({ type }), ...named],
        isOne ? wordsAfter! : [],
      );
      const rows = [
        ['answer', quoted(json.answer)],
        ...json.claims.map(({ handle: of, text, spread }, place) => [
          `claim ${place + 1}`,
          `${of === null ? '' : `${quoted(of.function)} `}${quoted(spread === null ? text : `${text}. ${spread}`)}`,
        ]),
        ...json.basis.map((text) => ['basis', quoted(text)]),
        ...json.environment.map(({ label, text }) => ['environment', quoted(`${label}: ${text}`)]),
        ...json.alternatives.map(({ label, status, text }) => [`cause ${status}`, quoted(`${label}: ${text}`)]),
        ...json.doubts.map((text) => ['doubt', quoted(text)]),
      ];
      return [
        ...sides.flat().map(({ facts }) => facts),
        ...noteLines(said),
        ...tablePage(['what', 'text'], rows, { offset, limit }),
      ];
    },
  }),
  tool({
    name: 'doctor',
    description: 'What can be recorded on this machine, with remedies for what cannot.',
    input: z.object({ offset: page.offset, limit: page.limit.default(60) }),
    async answer(session, asked) {
      interface Doctor {
        readonly checks: readonly Readonly<Record<'id' | 'status' | 'found', string> & { remedy: string | null }>[];
      }
      const { json, said } = await session.tell<Doctor>('doctor', [], []);
      return [
        ...noteLines(said),
        ...tablePage(
          ['check', 'status', 'found', 'remedy'],
          json.checks.map(({ id, status, found, remedy }) => [
            id,
            status,
            quoted(found),
            remedy === null ? '–' : quoted(remedy),
          ]),
          asked,
        ),
      ];
    },
  }),
];
