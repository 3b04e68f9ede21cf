import type { Theme } from '../../ui/flame/graph.types.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';
import type { MenuRequest } from './frame-menu.tsx';

export interface GraphPaneProps {
  readonly analysis: Analysis;
  readonly theme: Theme;
  readonly onMenu: (request: MenuRequest) => void;
}
