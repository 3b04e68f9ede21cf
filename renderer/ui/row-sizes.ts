import { createContext, useContext } from 'react';
import type { Settings } from '#core/contract/settings.ts';

export interface RowSizes {
  /** CSS pixels of a row of a table. */
  readonly rowPx: number;
  /** CSS pixels of a frame of a graph, with its gap. */
  readonly framePx: number;
}

export const ROW_SIZES: Readonly<Record<Settings['density'], RowSizes>> = {
  compact: { rowPx: 22, framePx: 18 },
  comfortable: { rowPx: 28, framePx: 22 },
};

export const RowSizesContext = createContext(ROW_SIZES.compact);

/** Sizes that script and style have in common, as the settings choose them. */
export const useRowSizes = (): RowSizes => useContext(RowSizesContext);
