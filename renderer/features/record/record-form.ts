import { MAX_RECORDED_HOSTS, type Params } from '#core/contract/contract.ts';
import type { LiveLimits } from '#core/contract/live.ts';
import type { RecordPurpose } from '../../state/workbench-state.ts';
import { collectorPages, type RecordForm } from './collector-pages.ts';
import { decimal, isRefusal, rawLimit, wholeNumber, type FieldRefusal } from './form-fields.ts';

/** The parameters for the engine, or the first invalid field and why. */
type RecordFormResult =
  | { readonly ok: true; readonly params: Params<'record.plan'>; readonly limits: LiveLimits }
  | { readonly ok: false; readonly field: keyof RecordForm; readonly message: string };

export function readForm(form: RecordForm): RecordFormResult {
  const refuse = (field: keyof RecordForm, message: string): RecordFormResult => ({ ok: false, field, message });
  const sides = collectorPages[form.collector].read(form);
  if (isRefusal<RecordForm>(sides)) return refuse(sides.field, sides.message);
  const [first] = sides;
  if (first === undefined) return refuse('targets', 'Choose a target to record on.');
  const repeat = wholeNumber(form.repeat, 1, 100);
  if (repeat === null) return refuse('repeat', 'Invalid repeat count: give a whole number from 1 to 100.');
  const pauseSeconds = decimal(form.pause, 3600);
  if (pauseSeconds === undefined) return refuse('pause', 'Invalid pause: give at most 3,600 seconds.');
  const many = form.targets.length > 1 ? readMany(form) : {};
  if (isRefusal<RecordForm>(many)) return refuse(many.field, many.message);
  if (form.purpose.kind === 'live' && form.targets.length > 1) {
    return refuse('targets', 'A live view shows one target: choose one.');
  }
  const maxCpu = decimal(form.maxCpu, 100_000);
  if (maxCpu === undefined) return refuse('maxCpu', 'Invalid limit: give percent of a CPU, or 0 for none.');
  const common = JSON.stringify(first);
  const into = destinationOf(form.purpose);
  const params: Params<'record.plan'> = {
    targets: form.targets.map((target, index) => ({
      target,
      ...(JSON.stringify(sides[index]) === common ? {} : sides[index]),
    })),
    ...first,
    repeat,
    pauseSeconds,
    ...many,
    name: form.name.trim() || null,
    ...(into === null ? {} : { into }),
  };
  return { ok: true, params, limits: { maxCpus: maxCpu === 0 ? null : maxCpu / 100, ...rawLimit(form) } };
}

/** Returns how several hosts take turns, and what their recordings may cost them. */
function readMany({
  wave,
  maxOverhead,
}: RecordForm): Pick<Params<'record.plan'>, 'wave' | 'maxOverhead'> | FieldRefusal<RecordForm> {
  const hosts = wave.trim() === '' ? undefined : wholeNumber(wave, 1, MAX_RECORDED_HOSTS);
  if (hosts === null)
    return { field: 'wave', message: `Invalid number of hosts: give 1 to ${MAX_RECORDED_HOSTS}, or nothing for all.` };
  const percent = maxOverhead.trim() === '' ? null : decimal(maxOverhead, 100);
  if (percent === undefined || percent === 0)
    return {
      field: 'maxOverhead',
      message: 'Invalid overhead: give percent of a host’s CPU time, or nothing for any.',
    };
  return {
    ...(hosts === undefined ? {} : { wave: hosts }),
    ...(percent === null ? {} : { maxOverhead: percent / 100 }),
  };
}

/** Returns the experiment to which the captures are added. If sides alternate, each capture goes to its own side. */
function destinationOf(purpose: RecordPurpose): NonNullable<Params<'record.plan'>['into']> | null {
  if (purpose.kind === 'library' || purpose.kind === 'live' || purpose.experimentId === null) return null;
  return { experimentId: purpose.experimentId, side: purpose.kind === 'side' ? purpose.side : 'before' };
}
