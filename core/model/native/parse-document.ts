import * as z from 'zod/mini';
import type { ValueTypeIndex } from '../brand.ts';
import { bestGrade } from '../newer-format.ts';
import { gradeShares } from '../quality-grade.ts';
import type { NativeDocument } from './document.ts';
import { qualityShape } from './quality-shape.ts';

/** Created for each document, not once, so that a page that carries its data starts sooner; documents are few. */
function makeSchema() {
  const text = z.string();
  const whole = z.int();
  const amount = z.number();
  const exactText = z.string().check(z.regex(/^-?\d{1,40}$/));
  const exact = z.pipe(
    exactText,
    z.transform((digits) => BigInt(digits)),
  );

  const labelSchema = z.union([z.object({ key: text, text }), z.object({ key: text, number: amount, unit: text })]);

  const metadataSchema = z.object({
    format: text,
    fileName: z.nullable(text),
    defaultValueType: z.pipe(
      whole,
      z.transform((index) => index as ValueTypeIndex),
    ),
    timeOrigin: z.nullable(exact),
    startTime: z.nullable(exact),
    durationNs: z.nullable(amount),
    rateHz: z.nullable(amount),
    period: z.nullable(z.object({ type: text, unit: text, value: amount })),
    tool: z.nullable(text),
    toolVersion: z.nullable(text),
    command: z.nullable(text),
    executable: z.exactOptional(text),
    executableBuildId: z.exactOptional(text),
    hostName: z.nullable(text),
    kernel: z.nullable(text),
    arch: z.nullable(text),
    cpuCount: z.nullable(amount),
    comments: z.array(text),
    series: z.exactOptional(
      z.array(z.object({ name: text, unit: text, at: z.array(amount), values: z.array(z.nullable(amount)) })),
    ),
  });

  const diagnosticSchema = z.object({
    code: text,
    severity: z.enum(['info', 'warning']),
    message: text,
    count: amount,
    first: z.nullable(z.object({ line: z.exactOptional(amount), byte: z.exactOptional(amount) })),
    remedy: z.nullable(text),
    moments: z.exactOptional(z.array(z.object({ clock: exactText, text }))),
  });

  return z.object({
    valueTypes: z.array(z.object({ type: text, unit: text, event: whole, column: whole })),
    events: z.array(text),
    labelSets: z.array(z.array(labelSchema)),
    metadata: metadataSchema,
    diagnostics: z.array(diagnosticSchema),
    quality: z.nullish(z.object(qualityShape())),
  });
}

/** Parses the untrusted output of `documentToJson`. Throws a TypeError that names the first field of a wrong type. */
export function documentFromJson(json: string): NativeDocument {
  const read = makeSchema().safeParse(JSON.parse(json));
  if (!read.success) throw new TypeError(`${pathText(read.error.issues[0]!.path)} is missing or has the wrong type`);
  const { quality, ...document } = read.data;
  const best = bestGrade(document.diagnostics);
  return { ...document, quality: quality === null || quality === undefined ? null : gradeShares(quality, best) };
}

/** Returns `metadata.period`, `labelSets[0][1]`. */
function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'document';
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`))
    .join('');
}
