import type { NodeOptions } from '#core/contract/node.ts';
import type { CollectorOptions } from '#core/contract/schemas.ts';
import { isRefusal, readProcess, readSides, wholeNumber } from './form-fields.ts';
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
  return readSides<CommonFields>(form, (target, side) => {
    const scope = readProcess(form, target, side);
    return isRefusal<CommonFields>(scope) ? scope : optionsOf(scope, seconds);
  });
}
