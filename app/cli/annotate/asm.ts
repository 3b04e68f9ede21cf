import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { Annotation } from '#core/contract/source.ts';
import type { CaptureDocument, Check } from '#core/contract/schemas.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { AnnotateFailure, runAnnotate } from '#collectors/perf/annotate.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Library } from '#app/engine/library/library.ts';
import { describeFunctions } from '#app/engine/source/capture-functions.ts';
import { planDisassembly } from '#app/engine/source/source-service.ts';
import { inputError, usageError } from '../errors.ts';
import { say, warn } from '../output/terminal.ts';
import { untilInterrupted } from '../until-interrupted.ts';

/** The command that ran and its function. */
export interface PrintedPlan {
  readonly name: string;
  readonly module: string;
  readonly command: readonly string[];
}

/** Runs `perf annotate` on a capture after printing the command to stderr. Ctrl-C cancels it. */
export async function disassemble(
  profile: Profile,
  library: Library,
  document: CaptureDocument | null,
  func: FunctionIndex,
  { lines, trust }: { readonly lines: boolean; readonly trust: boolean },
): Promise<{ plan: PrintedPlan; annotation: Annotation }> {
  if (document === null) {
    throw usageError('--asm takes the id of a capture in the library', 'flamebench record perf prints it');
  }
  library.confirmReading(document.id, trust);
  const target = createLocalTarget();
  try {
    const capture = describeFunctions(document, profile);
    const { name, module } = functionRef(profile, func);
    const { checks, command } = await planDisassembly(target, library, capture, func, lines);
    for (const { status, found } of checks) if (status === 'warning') warn(found);
    if (command === null) throw unmet(checks.find(({ status }) => status === 'failed')!);
    say(`$ ${quoteArgv(command)}`);
    return {
      plan: { name, module, command },
      annotation: await untilInterrupted((signal) => runAnnotate(target, command, module, signal)),
    };
  } catch (error) {
    throw error instanceof AnnotateFailure ? inputError(error.message, error.remedy) : error;
  } finally {
    await target.dispose();
  }
}

const unmet = ({ found, remedy }: Check) => inputError(`can’t be disassembled: ${found}`, remedy);
