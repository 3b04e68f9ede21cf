import type { NodeOptions } from '#core/contract/node.ts';
import type { CollectorOptions } from '#core/contract/schemas.ts';
import { isRefusal, readProcess, wholeNumber } from './form-fields.ts';
import type { CommonFields, FieldRefusal, TargetSides } from './form-fields.ts';

/** Returns the options for one process of each target, which records itself and delivers at the end. */
export function readAttachedForm(
  form: CommonFields,
  { name, maxSeconds }: { readonly name: string; readonly maxSeconds: number },
  optionsOf: (scope: NodeOptions['scope'], seconds: number) => CollectorOptions,
): TargetSides[] | FieldRefusal {
  if (form.purpose.kind === 'live')
    return { field: 'collector', message: `${name}’s samples arrive at the end of a recording; watch it with perf.` };
  const seconds = wholeNumber(form.seconds, 1, maxSeconds);
  if (seconds === null) {
    const message = `Invalid duration: give a whole number of seconds from 1 to ${maxSeconds.toLocaleString('en')}.`;
    return { field: 'seconds', message };
  }
  const isInTurn = form.purpose.kind === 'in-turn';
  const sides: TargetSides[] = [];
  for (const target of form.targets) {
    const scope = readProcess(form, target, isInTurn ? 'before' : null);
    if (isRefusal<CommonFields>(scope)) return scope;
    const after = isInTurn ? readProcess(form, target, 'after') : null;
    if (after !== null && isRefusal<CommonFields>(after)) return after;
    const options = optionsOf(scope, seconds);
    sides.push({ options, ...(after === null ? {} : { after: optionsOf(after, seconds) }) });
  }
  return sides;
}
