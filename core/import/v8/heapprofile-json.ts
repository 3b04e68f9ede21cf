import { NO_STACK, type EventIndex, type StackIndex, type ThreadIndex } from '../../model/brand.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { JsonSession } from '../text/json-session.ts';
import { numberAt, objectAt, visitTree, type JsonObject } from '../text/json-value.ts';
import { addNodeFacts, readNodeFacts } from './node-facts.ts';
import { addV8Frame, type V8Sources } from './profile.ts';

export const heapprofileSession = (): JsonSession => new JsonSession('a V8 heap profile', buildHeapprofile);

function buildHeapprofile(json: unknown): Profile {
  const builder = new ProfileBuilder(1);
  const file = objectAt(json, 'the file');
  const facts = readNodeFacts(file);
  addHeap(
    builder,
    builder.thread(facts?.pid ?? -1, facts?.pid ?? -1, facts === null ? '' : 'main'),
    file,
    facts?.sources,
  );
  for (const { title, tid, profile } of facts?.threads ?? []) {
    addHeap(builder, builder.thread(facts!.pid, tid, title), profile, facts!.sources);
  }
  return builder.finish([IN_USE], {
    format: 'heapprofile',
    ...(facts === null ? {} : addNodeFacts(builder.diagnostics, facts, null)),
  });
}

export const IN_USE = { type: 'inuse_space', unit: 'bytes' };

/** Adds the bytes in use of a V8 heap profile as the first weight of samples without times. */
export function addHeap(
  builder: ProfileBuilder,
  thread: ThreadIndex,
  profile: JsonObject,
  sources?: V8Sources,
  event?: EventIndex,
): void {
  visitTree(objectAt(profile['head'], 'head'), NO_STACK, (node, caller): StackIndex => {
    const stack = addV8Frame(builder, caller, objectAt(node['callFrame'], 'callFrame of a node'), sources);
    const bytes = numberAt(node['selfSize'], 'selfSize of a node');
    if (bytes !== 0) builder.sample({ stack, thread, event }, bytes);
    return stack;
  });
}
