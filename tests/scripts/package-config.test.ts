import { describe, expect, it } from 'vitest';
import { EXPERIMENT_FILE_ENDING } from '#core/contract/experiment-file.ts';
import { importers } from '#core/import/registry.ts';
import { fileAssociations } from '../../scripts/file-associations.ts';

/** `pb.gz` counts as `pb`, because compressed files are opened by their content. */
const uncompressed = (extension: string): string => extension.replace(/\.(?:gz|zst)$/, '');

describe('file associations', () => {
  const listed = fileAssociations().flatMap(({ extensions }) => extensions);

  it('name extensions that an importer reads, and that of experiments', () => {
    const read = new Set([...importers.flatMap(({ extensions }) => extensions), EXPERIMENT_FILE_ENDING.slice(1)]);
    expect(listed.map(uncompressed).filter((extension) => !read.has(extension))).toEqual([]);
    expect(listed.length).toBeGreaterThan(3);
  });

  it('cover each importer', () => {
    const without = importers.filter(({ extensions }) => !listed.some((ext) => extensions.includes(uncompressed(ext))));
    expect(without.map(({ id }) => id)).toEqual([]);
  });
});
