import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Workbench } from '../../state/workbench.ts';
import { download } from '../../state/transforms/export-file.ts';
import { added } from '../../state/transforms/list.ts';
import type { TransformTarget } from '../../state/transforms/target.ts';
import { loadPart } from '../../ui/load-part.ts';
import { chooseFiles } from '../../ui/pick-files.ts';

/** Maximum file size in bytes, more than any list of transforms kept by hand. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

/** Saves transforms as a file, for another profile, another person, or `flamebench top --transforms`. */
export function saveTransforms(transforms: readonly NamedTransform[]): void {
  download(new Blob([`${JSON.stringify(transforms, null, 2)}\n`], { type: 'application/json' }), 'transforms.json');
}

/** Asks for a file of transforms and applies them after the existing ones. */
export function openTransforms(notify: Workbench['notify'], target: TransformTarget): void {
  chooseFiles(
    ([file]) => {
      if (file !== undefined) void applyFile(file, notify, target);
    },
    { label: 'Transforms to open', multiple: false, accept: '.json,application/json' },
  );
}

async function applyFile(file: File, notify: Workbench['notify'], target: TransformTarget): Promise<void> {
  try {
    if (file.size > MAX_FILE_BYTES) throw new TypeError('not a list of transforms: it is too large');
    const { parseTransforms } = await loadPart(() => import('#core/analyze/transforms/transform-schema.ts'));
    const read = parseTransforms(await file.text());
    target.setTransforms(read.reduce<readonly NamedTransform[]>(added, target.transforms()));
  } catch (error) {
    const reason = error instanceof TypeError ? `is ${error.message}` : "can't be read";
    const remedy = 'Choose a file written by “Save transforms”.';
    notify({ kind: 'error', text: `${file.name} ${reason}.`, remedy, action: null });
  }
}
