import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import * as z from 'zod';
import { inputError, type CliError } from '../errors.ts';

const text = (most: number) => z.string().min(1).max(most);
const conditions = z.array(text(1000)).max(100);
const pairs = z.int().min(4).max(100);

const benchmarkSchema = z.strictObject({
  name: z.exactOptional(text(100)).describe('Name in the comment; default: the program.'),
  command: z
    .union([text(4096), z.array(text(4096)).min(1).max(1000)])
    .describe('What runs in the root of the checkout: words, or a line for sh.'),
  failOn: z.exactOptional(conditions).describe('Conditions of this benchmark instead of those of the file.'),
});

/** The gate of a repository, `flamebench.yml`. */
export const gateConfigSchema = z.strictObject({
  build: z.exactOptional(text(4096)).describe('A line for sh that builds a checkout, run in its root.'),
  benchmarks: z.exactOptional(z.array(benchmarkSchema).min(1).max(50)),
  failOn: z
    .exactOptional(conditions)
    .describe("Conditions as in flamebench diff --fail-on: 'self(^parse$) > +5%'. Default: any growth that is shown."),
  pairs: z.exactOptional(pairs).describe('Runs of each side at the first look; default 10.'),
  mostPairs: z.exactOptional(pairs).describe('Runs of each side after which the gate decides; default 30.'),
  minutes: z.exactOptional(z.number().positive().max(1440)).describe('Time after which it decides.'),
  rate: z.exactOptional(z.int().min(1).max(50_000)).describe('Samples per second; default 999.'),
  owners: z
    .exactOptional(
      z.array(z.strictObject({ functions: text(1000).describe('A regular expression.'), owner: text(200) })).max(1000),
    )
    .describe('Who owns functions; the first that matches counts.'),
});
export type GateConfig = z.infer<typeof gateConfigSchema>;

/** Name of the file in the root of a repository. */
export const CONFIG_FILE = 'flamebench.yml';
/** Aliases of YAML let a small file stand for a large one. */
const MOST_BYTES = 64 * 1024;

/** Parses the file. `where` names it in errors: `flamebench.yml of 1a2b3c4`. */
export function parseGateConfig(content: string, where: string): GateConfig {
  if (content.length > MOST_BYTES) throw inputError(`${where} has more than ${MOST_BYTES} characters`);
  const read = gateConfigSchema.safeParse(parseYaml(content, where) ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw inputError(`${where}: ${place === '' ? '' : `${place}: `}${issue?.message ?? 'not valid'}`, REMEDY);
}

const REMEDY = 'docs/cli.md describes the file';

function parseYaml(content: string, where: string): unknown {
  try {
    return load(content, { schema: CORE_SCHEMA });
  } catch (error) {
    throw error instanceof YAMLException ? yamlError(error, where) : error;
  }
}

const yamlError = ({ reason, mark }: YAMLException, where: string): CliError =>
  inputError(`${where}${mark === undefined ? '' : `:${mark.line + 1}`}: not YAML: ${reason}`, REMEDY);
