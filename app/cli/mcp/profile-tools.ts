import * as z from 'zod';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { NOT_READ, noteLines, quoted, shareCell, tablePage } from './answer.ts';
import {
  handle,
  isNegative,
  optionsOf,
  page,
  pattern,
  sort,
  tool,
  unitLine,
  view,
  type McpTool,
  type NamedWeight,
  type ValueType,
  type Weight,
} from './tool.ts';

interface TopDocument {
  readonly valueType: ValueType;
  readonly total: Weight;
  readonly functions: readonly (NamedWeight & { readonly self: Weight; readonly total: Weight })[];
}

const topTable = ({ total: whole, functions }: TopDocument, given: { offset: number; limit: number }): string[] => {
  const isSigned = functions.some(({ self, total }) => isNegative(self) || isNegative(total));
  return tablePage(
    ['self', 'self %', 'total', 'total %', 'function', 'module'],
    functions.map(({ name, module, self, total }) => [
      self,
      shareCell(self, whole, isSigned),
      total,
      shareCell(total, whole, isSigned),
      quoted(name),
      quoted(module),
    ]),
    given,
  );
};

/** Tools that answer about one profile. */
export const profileTools: readonly McpTool[] = [
  tool({
    name: 'open',
    description:
      'Opens a profile (a file below the allowed folders, or the id or name of a capture of the library) and returns its handle with samples, sampled share and unattributed share. Start here.',
    input: z.object({ input: z.string().min(1).max(4096) }),
    answer: async (session, { input }) => [(await session.open(input)).facts],
  }),
  tool({
    name: 'summary',
    description:
      'Where the time goes: heaviest functions, kinds of work, threads, and how far the data can be trusted.',
    input: z.object({ handle, ...view, ...page }),
    async answer(session, { handle: of, offset, limit, ...options }) {
      interface Kind {
        readonly kind: string;
        readonly weight: Weight;
      }
      interface Summary {
        readonly valueType: ValueType;
        readonly total: Weight;
        readonly functions: readonly (NamedWeight & { readonly self: Weight })[];
        readonly kinds: readonly Kind[];
        readonly threads: readonly { readonly name: string; readonly weight: Weight }[];
        readonly quality: { readonly sentence: string; readonly remedy: string | null } | null;
      }
      const { facts, word } = session.capture(of);
      const { json, said } = await session.tell<Summary>('summary', optionsOf(options), [word]);
      const { functions, kinds, threads, quality, total: whole } = json;
      const rows = [
        ...functions.map(({ name, module, self }) => ['function (self)', self, name, module] as const),
        ...kinds.map(({ kind, weight }) => ['kind', weight, kind, ''] as const),
        ...threads.map(({ name, weight }) => ['thread', weight, name, ''] as const),
      ];
      const isSigned = rows.some(([, weight]) => isNegative(weight));
      return [
        facts,
        unitLine(json.valueType, whole),
        `quality: ${quality === null ? NOT_READ : quoted([quality.sentence, quality.remedy].filter(Boolean).join(' '))}`,
        ...noteLines(said),
        ...tablePage(
          ['what', 'weight', '%', 'name', 'module'],
          rows.map(([what, weight, name, module]) => [
            what,
            weight,
            shareCell(weight, whole, isSigned),
            quoted(name),
            quoted(module),
          ]),
          { offset, limit },
        ),
      ];
    },
  }),
  tool({
    name: 'top',
    description: 'Functions with self and total weight, heaviest first.',
    input: z.object({ handle, sort, ...view, ...page }),
    async answer(session, { handle: of, offset, limit, ...options }) {
      const { facts, word } = session.capture(of);
      const { json, said } = await session.tell<TopDocument>('top', optionsOf(options), [word]);
      return [facts, unitLine(json.valueType, json.total), ...noteLines(said), ...topTable(json, { offset, limit })];
    },
  }),
  tool({
    name: 'search',
    description: 'Functions whose name matches a regular expression, with self and total weight.',
    input: z.object({ handle, pattern, sort, ...view, ...page }),
    async answer(session, { handle: of, pattern: wanted, offset, limit, ...options }) {
      const { facts, word } = session.capture(of);
      const { json, said } = await session.tell<TopDocument>('top', optionsOf(options), [word]);
      const matched = await createLimitedPatternRunner(() => 'pattern').match(
        json.functions.map(({ name }) => name),
        { pattern: wanted, ignoreCase: false },
      );
      const found = { ...json, functions: json.functions.filter((_, row) => matched[row] === 1) };
      return [facts, unitLine(json.valueType, json.total), ...noteLines(said), ...topTable(found, { offset, limit })];
    },
  }),
  tool({
    name: 'peek',
    description: 'Functions that match a regular expression, each with its callers and callees.',
    input: z.object({ handle, pattern, ...view, ...page }),
    async answer(session, { handle: of, pattern: wanted, offset, limit, ...options }) {
      interface Edge {
        readonly name: string;
        readonly weight: Weight;
      }
      interface Peek {
        readonly valueType: ValueType;
        readonly whole: Weight;
        readonly functions: readonly {
          readonly name: string;
          readonly self: Weight;
          readonly total: Weight;
          readonly callers: readonly Edge[];
          readonly callees: readonly Edge[];
        }[];
      }
      const { facts, word } = session.capture(of);
      const { json, said } = await session.tell<Peek>('peek', optionsOf(options), [word, wanted]);
      const edges = (what: string, own: readonly Edge[]) =>
        own.map(({ name, weight }) => [what, '', '', weight, quoted(name)]);
      const rows = json.functions.flatMap(({ name, self, total, callers, callees }) => [
        ['function', self, total, '', quoted(name)],
        ...edges('caller', callers),
        ...edges('callee', callees),
      ]);
      return [
        facts,
        unitLine(json.valueType, json.whole),
        ...noteLines(said),
        ...tablePage(['what', 'self', 'total', 'calls', 'name'], rows, { offset, limit }),
      ];
    },
  }),
  tool({
    name: 'annotate',
    description: 'Weight of the source lines of one function: file, line, weights. Source text is never read.',
    input: z.object({
      handle,
      function: z.string().min(1).max(4096).describe('name, or a part that only one has'),
      module: z.string().max(4096).optional(),
      type: view.type,
      thread: view.thread,
      ...page,
    }),
    async answer(session, { handle: of, function: name, offset, limit, ...options }) {
      interface Lines {
        readonly valueType: ValueType;
        readonly function: NamedWeight & { readonly self: Weight; readonly total: Weight };
        readonly lines: readonly {
          readonly file: string;
          readonly line: number;
          readonly self: Weight;
          readonly total: Weight;
        }[];
      }
      const { facts, word } = session.capture(of);
      const { json, said } = await session.tell<Lines>('annotate', optionsOf(options), [word, name]);
      const { function: own, valueType, lines } = json;
      return [
        facts,
        `weights: ${quoted(`${valueType.type} (${valueType.unit})`)}; ${quoted(own.name)} in ${quoted(own.module)}: self ${own.self}, total ${own.total}`,
        ...noteLines(said),
        ...tablePage(
          ['self', 'total', 'line', 'file'],
          lines.map(({ file, line, self, total }) => [
            self,
            total,
            line > 0 ? line : NOT_READ,
            file === '' ? NOT_READ : quoted(file),
          ]),
          { offset, limit },
        ),
      ];
    },
  }),
];
