import { foldedImporter } from './folded.ts';
import type { Importer } from './importer.ts';

/** Every format that Flamebench opens. Dialog filters, `flamebench formats`, the docs and the tests read this list. */
export const importers: readonly Importer[] = [foldedImporter];
