import { createContext, useContext } from 'react';
import type { Settings } from '#core/contract/settings-schema.ts';

export interface RowSizes {
  /** Height of a table row in CSS pixels. */
  readonly rowPx: number;
  /** Height of a graph's frame including its gap, in CSS pixels. */
  readonly framePx: number;
}

export const ROW_SIZES: Readonly<Record<Settings['density'], RowSizes>> = {
  compact: { rowPx: 22, framePx: 18 },
  comfortable: { rowPx: 28, framePx: 22 },
};

export const RowSizesContext = createContext(ROW_SIZES.compact);

/** Returns the sizes that scripts and styles share, as the settings choose them. */
export const useRowSizes = (): RowSizes => useContext(RowSizesContext);
