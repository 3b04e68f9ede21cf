import type { VisiblePart } from './visible-part.ts';
import type { NamedTransform } from '../analyze/transforms/named-transform.ts';
import type { StackView } from '../analyze/view/stack-view.ts';
import { NO_ROW, viewSamples, buildStackView } from '../analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '../model/brand.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostics.ts';
import type { Profile } from '../model/profile.ts';
import { describeView } from './describe-view.ts';
import { keepUsed } from './keep-used.ts';

export interface VisibleProfile {
  /** The visible part, as a profile of its own. Its comments describe the view. */
  readonly profile: Profile;
  /** The view itself, of the chosen value type. */
  readonly view: StackView;
  /** Lines that describe the view, its transforms and what they hid. */
  readonly description: readonly string[];
}

/**
 * Returns the visible part of a profile as a profile: the visible samples with all their value types (the current one
 * becomes the default), and the stacks as they are shown. Frames keep addresses and lines unless a transform changed
 * the stacks, which are then by function.
 */
export function visibleProfile(profile: Profile, seen: VisiblePart): VisibleProfile {
  const { selection, transforms, resolved } = seen;
  const view = buildStackView(profile, selection, resolved);
  const description = describeView(profile, view, seen);
  const { rowOfSample, rows } = placeSamples(profile, seen);
  const keep = rowOfSample.map((row) => (row >= 0 || row === NO_ROW.withoutStack ? 1 : 0));
  const isChanged = resolved.steps.some((step) => step !== null && step.kind !== 'samples');
  const base = isChanged ? withStacksOf(profile, rows, rowOfSample) : profile;
  const isWhole = !isChanged && keep.every((kept) => kept === 1);
  const kept = isWhole ? base : keepUsed(base, Uint8Array.from(keep));
  const { timeRange, valueType } = selection;
  const { metadata, diagnostics } = profile;
  return {
    profile: {
      ...kept,
      metadata: {
        ...metadata,
        defaultValueType: valueType,
        durationNs: timeRange === null ? metadata.durationNs : timeRange.end - timeRange.start,
        comments: [...metadata.comments, ...description],
      },
      diagnostics: isWhole ? diagnostics : [...diagnostics, exportedView(transforms)],
    },
    view,
    description,
  };
}

/** Places every sample of the selected threads and time, whatever its weight; each counts as 1 here. */
function placeSamples(profile: Profile, { selection, resolved }: VisiblePart) {
  const counted: Profile = {
    ...profile,
    valueTypes: [...profile.valueTypes, { type: 'samples', unit: 'count', event: -1, column: -1 }],
  };
  const valueType = profile.valueTypes.length as ValueTypeIndex;
  const { view, rowOfSample } = viewSamples(counted, { ...selection, valueType }, resolved);
  return { rows: view, rowOfSample };
}

/** Creates one frame per function. */
function withStacksOf(profile: Profile, rows: StackView, rowOfSample: Int32Array): Profile {
  const { strings, functions } = rows.profile;
  const frameCount = functions.length;
  return {
    ...profile,
    strings,
    functions,
    frames: {
      length: frameCount,
      func: Int32Array.from({ length: frameCount }, (_, func) => func),
      address: null,
      line: null,
      inline: new Uint8Array(frameCount),
    },
    stacks: { length: rows.length, parent: rows.parent.slice(), frame: rows.func.slice() },
    samples: { ...profile.samples, stack: rowOfSample.map((row) => (row >= 0 ? row : -1)) },
  };
}

function exportedView(transforms: readonly NamedTransform[]): Diagnostic {
  const applied = transforms.filter(({ enabled }) => enabled).length;
  const changed = applied === 0 ? '' : `, changed by ${applied === 1 ? 'a transform' : `${applied} transforms`}`;
  return diagnostic('exported-view', `This is a view of a capture${changed}, described in its comments.`, {
    severity: 'info',
  });
}
