import type { FrameGeometry } from './drawn-slice.ts';
import { HAIRLINE_PX, type FrameBox } from './layout.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Inset of an outline, so that it stays within its frame. */
const INSET_PX = 1;

interface MissingPlace extends FrameGeometry {
  readonly text: string;
  /** Width of one character of the text. */
  readonly characterPx: number;
}

/** Outlines above the frames; an outline of the frame element itself would be covered by neighbours drawn later. */
export interface FlameOverlay {
  /** Outlines all visible frames of the selected function. */
  showSame(boxes: readonly FrameBox[]): void;
  showSelected(box: FrameBox | null): void;
  showHovered(box: FrameBox | null): void;
  /** Outlines frames that are highlighted elsewhere. */
  showPointed(boxes: readonly FrameBox[]): void;
  /** Marks where a missing frame would be, with its label. */
  showMissing(place: MissingPlace | null): void;
  /** Outlines frames that only one side of a comparison has. */
  showOneSided(boxes: readonly FrameBox[]): void;
  /** Draws fillers too narrow for frames as bars. A texture replaces those at least a pixel wide. */
  showBars(boxes: readonly FrameBox[]): void;
}

/** Creates an overlay. Boxes are in pixels of `host`, an svg above the chart. */
export function createOverlay(host: SVGSVGElement): FlameOverlay {
  const outline = (name: string) => {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', name);
    host.append(path);
    return path;
  };
  const bars = outline('bars');
  const hairlines = outline('hairlines');
  const oneSided = outline('one-sided');
  const same = outline('same');
  const hovered = outline('hovered');
  const pointed = outline('pointed');
  const selected = outline('selected');
  const missing = createMissing(host);
  const trace = (path: SVGPathElement, boxes: readonly FrameBox[]) =>
    path.setAttribute('d', boxes.map(around).join(''));
  return {
    showOneSided: (boxes) => trace(oneSided, boxes),
    showSame: (boxes) => trace(same, boxes),
    showSelected: (box) => trace(selected, box === null ? [] : [box]),
    showHovered: (box) => trace(hovered, box === null ? [] : [box]),
    showPointed: (boxes) => trace(pointed, boxes),
    showMissing: missing,
    showBars(boxes) {
      const isHairline = ({ width }: FrameBox): boolean => width < HAIRLINE_PX;
      hairlines.setAttribute('d', boxes.filter(isHairline).map(bar).join(''));
      bars.setAttribute(
        'd',
        boxes
          .filter((box) => !isHairline(box))
          .map(bar)
          .join(''),
      );
    },
  };
}

function around({ left, top, width, height }: FrameBox): string {
  const inner = Math.max(1, width - 2 * INSET_PX);
  return `M${left + INSET_PX} ${top + INSET_PX}h${inner}v${height - 2 * INSET_PX}h${-inner}z`;
}

/** Aligns a bar to whole pixels, at least one, since edges between pixels would blur over both. */
function bar({ left, top, width, height }: FrameBox): string {
  const first = Math.floor(left);
  const wide = Math.max(1, Math.floor(left + width) - first);
  return `M${first} ${top + INSET_PX}h${wide}v${height - 2 * INSET_PX}h${-wide}z`;
}

/** Gap between the mark and its text, and around the text. */
const TEXT_GAP_PX = 6;
/** Distance from a row's middle to the baseline of its text. */
const BASELINE_PX = 3.5;

function createMissing(host: SVGSVGElement): FlameOverlay['showMissing'] {
  const group = document.createElementNS(SVG, 'g');
  group.setAttribute('class', 'missing');
  const mark = document.createElementNS(SVG, 'path');
  const label = document.createElementNS(SVG, 'text');
  const ground = document.createElementNS(SVG, 'rect');
  group.append(mark, ground, label);
  return (place) => {
    if (place === null) {
      group.remove();
      return;
    }
    const { left, top, height, viewLeftPx, viewWidthPx, text, characterPx } = place;
    const x = Math.floor(left) + 0.5;
    mark.setAttribute('d', `M${x - 2} ${top + INSET_PX}h4m-2 0v${height - 2 * INSET_PX}m-2 0h4`);
    const isRight = left - viewLeftPx > viewWidthPx / 2;
    const width = text.length * characterPx + 2 * TEXT_GAP_PX;
    const from = isRight ? x - TEXT_GAP_PX - width : x + TEXT_GAP_PX;
    const box = { x: from, y: top + INSET_PX, width, height: height - 2 * INSET_PX, rx: 3 };
    for (const [name, value] of Object.entries(box)) ground.setAttribute(name, String(value));
    label.setAttribute('x', String(from + TEXT_GAP_PX));
    label.setAttribute('y', String(top + height / 2 + BASELINE_PX));
    label.textContent = text;
    host.append(group);
  };
}
