import { MAX_NODE_SECONDS, type NodeOptions } from '#core/contract/node.ts';
import { isRefusal, readProcess, wholeNumber } from '../form-fields.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

/** The fields of node. */
export interface NodeFields {
  readonly nodeProfile: NodeOptions['profile'];
}

export type NodeForm = CommonFields & NodeFields;

export const EMPTY_NODE: NodeFields = { nodeProfile: 'cpu' };

export function readNodeForm(form: NodeForm): TargetSides[] | FieldRefusal<NodeForm> {
  if (form.purpose.kind === 'live')
    return { field: 'collector', message: 'Node’s samples arrive at the end of a recording; watch it with perf.' };
  const seconds = wholeNumber(form.seconds, 1, MAX_NODE_SECONDS);
  if (seconds === null)
    return { field: 'seconds', message: 'Invalid duration: give a whole number of seconds from 1 to 3,600.' };
  const isInTurn = form.purpose.kind === 'in-turn';
  const common = { collector: 'node', profile: form.nodeProfile, seconds } as const;
  const sides: TargetSides[] = [];
  for (const target of form.targets) {
    const scope = readProcess(form, target, isInTurn ? 'before' : null);
    if (isRefusal<NodeForm>(scope)) return scope;
    const after = isInTurn ? readProcess(form, target, 'after') : null;
    if (after !== null && isRefusal<NodeForm>(after)) return after;
    sides.push({ options: { ...common, scope }, ...(after === null ? {} : { after: { ...common, scope: after } }) });
  }
  return sides;
}

/** Returns the fields for these options; the process is chosen separately. */
export const nodeFieldsOf = ({ profile, seconds }: NodeOptions): Partial<NodeForm> => ({
  nodeProfile: profile,
  seconds: String(seconds),
});
