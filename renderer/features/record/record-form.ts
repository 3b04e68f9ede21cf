import type { Params } from '#core/contract/contract.ts';
import type { RecordPurpose } from '../../state/workbench-state.ts';
import { collectorPages, type RecordForm } from './collector-pages.ts';
import { decimal, isRefusal, wholeNumber } from './form-fields.ts';

/** What to ask the engine, or which field keeps it from being asked and why. */
export type FormResult =
  | { readonly ok: true; readonly params: Params<'record.plan'> }
  | { readonly ok: false; readonly field: keyof RecordForm; readonly message: string };

export function readForm(form: RecordForm): FormResult {
  const refuse = (field: keyof RecordForm, message: string): FormResult => ({ ok: false, field, message });
  const sides = collectorPages[form.collector].read(form);
  if (isRefusal<RecordForm>(sides)) return refuse(sides.field, sides.message);
  const [first] = sides;
  if (first === undefined) return refuse('targets', 'Choose a target to record on.');
  const repeat = wholeNumber(form.repeat, 1, 100);
  if (repeat === null) return refuse('repeat', 'Invalid repeat count: give a whole number from 1 to 100.');
  const pauseSeconds = decimal(form.pause, 3600);
  if (pauseSeconds === undefined) return refuse('pause', 'Invalid pause: give up to 3,600 seconds.');
  const common = JSON.stringify(first);
  const into = intoOf(form.purpose);
  const params: Params<'record.plan'> = {
    targets: form.targets.map((target, index) => ({
      target,
      ...(JSON.stringify(sides[index]) === common ? {} : sides[index]),
    })),
    ...first,
    repeat,
    pauseSeconds,
    name: form.name.trim() || null,
    ...(into === null ? {} : { into }),
  };
  return { ok: true, params };
}

/** The experiment that the captures are added to. Of sides that take turns each goes to its own. */
function intoOf(purpose: RecordPurpose): NonNullable<Params<'record.plan'>['into']> | null {
  if (purpose.kind === 'library' || purpose.experimentId === null) return null;
  return { experimentId: purpose.experimentId, side: purpose.kind === 'side' ? purpose.side : 'before' };
}
