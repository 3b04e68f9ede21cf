/** The pictures in docs/images that are snapshots of the window, which its tests keep true. */
export const docsPictures = [
  { name: 'workbench-dark.png', snapshot: 'flame-graph-dark.png' },
  { name: 'compare-dark.png', snapshot: 'compare-dark.png' },
] as const;
