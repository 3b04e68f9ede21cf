import * as z from 'zod';
import { quoted } from './answer.ts';
import type { Session } from './session.ts';

/** A tool: what it tells an agent about itself, and its answer. */
export interface McpTool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject<Shape>;
  /** Returns the lines of the answer. */
  answer(this: void, session: Session, given: z.output<z.ZodObject<Shape>>): Promise<readonly string[]>;
}

/** Keeps the types of a tool's arguments in its answer. */
export const tool = <Shape extends z.ZodRawShape>(made: McpTool<Shape>): McpTool => made;

export type Weight = number | string;
export interface ValueType {
  readonly type: string;
  readonly unit: string;
}
export interface NamedWeight {
  readonly name: string;
  readonly module: string;
}

export const handle = z.string().max(20).describe('of open');
export const page = {
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(200).default(20),
};
export const view = {
  type: z.string().max(200).optional().describe("value type; default: the profile's own"),
  thread: z.string().max(200).optional().describe('id or name'),
  time: z.string().max(100).optional().describe('start..end in seconds'),
};
export const sort = z.enum(['self', 'total']).default('self');
export const pattern = z.string().min(1).max(1000).describe('regular expression');

/** Returns options in the form `--name=value`, of which no value can become another option. */
export const optionsOf = (given: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));

export const unitLine = ({ type, unit }: ValueType, whole: Weight): string =>
  `weights: ${quoted(`${type} (${unit})`)}, total ${whole}`;
export const isNegative = (weight: Weight): boolean => Number(weight) < 0;
