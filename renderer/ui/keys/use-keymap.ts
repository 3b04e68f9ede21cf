import { createContext, useContext } from 'react';
import { DEFAULT_KEYMAP, type Keymap } from './keymap.ts';

export const KeymapContext = createContext<Keymap>(DEFAULT_KEYMAP);

/** Returns the keys currently in effect. */
export const useKeymap = (): Keymap => useContext(KeymapContext);
