import { MAX_NODE_SECONDS, type NodeOptions } from '#core/contract/node.ts';
import { readAttachedForm } from '../attached-form.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

export interface NodeFields {
  readonly nodeProfile: NodeOptions['profile'];
  readonly nodeWithPerf: boolean;
  readonly nodeWithHeap: boolean;
  readonly nodeSourceMaps: boolean;
}

export type NodeForm = CommonFields & NodeFields;

export const EMPTY_NODE: NodeFields = {
  nodeProfile: 'cpu',
  nodeWithPerf: false,
  nodeWithHeap: false,
  nodeSourceMaps: false,
};

export const readNodeForm = (form: NodeForm): TargetSides[] | FieldRefusal<NodeForm> =>
  readAttachedForm(form, { name: 'Node', maxSeconds: MAX_NODE_SECONDS }, (scope, seconds) => ({
    collector: 'node',
    profile: form.nodeProfile,
    seconds,
    scope,
    ...(form.nodeWithPerf && form.nodeProfile === 'cpu' ? { withPerf: true } : {}),
    ...(form.nodeWithHeap && form.nodeProfile === 'cpu' ? { withHeap: true } : {}),
    ...(form.nodeSourceMaps && form.nodeProfile !== 'async' ? { sourceMaps: true } : {}),
  }));

/** Returns the fields for these options; the process is chosen separately. */
export const nodeFieldsOf = ({ profile, seconds, withPerf, withHeap, sourceMaps }: NodeOptions): Partial<NodeForm> => ({
  nodeProfile: profile,
  nodeWithPerf: withPerf === true,
  nodeWithHeap: withHeap === true,
  nodeSourceMaps: sourceMaps === true,
  seconds: String(seconds),
});
