/**
 * Stands for d3-color, d3-format and d3-transition, by an alias (scripts/page-aliases.ts): d3-flame-graph imports them
 * but runs nothing of them here. The chart draws without transitions (renderer/ui/flame/chart/still-selections.ts), and its
 * scales are of numbers, which need neither formats nor colours.
 */
const unused = null;
const Unused = class extends Object {};
export { Unused as color, Unused as rgb, Unused as hsl, Unused as lab, Unused as hcl, Unused as cubehelix };
export {
  unused as format,
  unused as formatPrefix,
  unused as formatSpecifier,
  unused as precisionFixed,
  unused as precisionPrefix,
  unused as precisionRound,
};
