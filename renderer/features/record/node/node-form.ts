import { MAX_NODE_SECONDS, type NodeOptions } from '#core/contract/node.ts';
import { readAttachedForm } from '../attached-form.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

/** The fields of node. */
export interface NodeFields {
  readonly nodeProfile: NodeOptions['profile'];
}

export type NodeForm = CommonFields & NodeFields;

export const EMPTY_NODE: NodeFields = { nodeProfile: 'cpu' };

export const readNodeForm = (form: NodeForm): TargetSides[] | FieldRefusal<NodeForm> =>
  readAttachedForm(form, { name: 'Node', maxSeconds: MAX_NODE_SECONDS }, (scope, seconds) => ({
    collector: 'node',
    profile: form.nodeProfile,
    seconds,
    scope,
  }));

/** Returns the fields for these options; the process is chosen separately. */
export const nodeFieldsOf = ({ profile, seconds }: NodeOptions): Partial<NodeForm> => ({
  nodeProfile: profile,
  seconds: String(seconds),
});
