import type { SliceTexture } from '#core/analyze/graph/flame-slice.ts';
import { rowTop, type FlameLayout } from './layout.ts';
import { fromHex } from '#core/colour/oklch.ts';

/** Gap above each row, where frames have their edges. */
const GAP_PX = 1;

/**
 * Draws the content of fillers below the frames, one column per device pixel, each in the colour of the function there.
 */
export class TextureCanvas {
  readonly #host: HTMLElement;
  readonly #canvas = document.createElement('canvas');
  #texture: SliceTexture | null = null;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#canvas.className = 'flame-texture';
    host.append(this.#canvas);
  }

  /**
   * Draws a texture; null removes it. `colourOf` returns a function's colour as `#rrggbb`; `topPx` is as in
   * {@link place}.
   */
  draw(texture: SliceTexture | null, layout: FlameLayout, topPx: number, colourOf: (func: number) => string): void {
    if (texture !== null) {
      const image = imageOf(texture, layout, colourOf);
      Object.assign(this.#canvas, { width: image.width, height: image.height });
      this.#canvas.getContext('2d')?.putImageData(image, 0, 0);
    }
    this.#texture = texture;
    this.place(layout, topPx);
  }

  /**
   * Moves the last texture to its place in another drawing of the same graph; null hides it. `topPx` is the top of the
   * drawing within the content.
   */
  place(layout: FlameLayout | null, topPx: number): void {
    if (layout === null) this.#texture = null;
    this.#host.classList.toggle('textured', this.#texture !== null);
    if (layout === null || this.#texture === null) return;
    const { first, last, firstDepth, depthCount } = this.#texture;
    const { rowPx, range, widthPx } = layout;
    const pxPerWeight = widthPx / (range.last - range.first);
    const top = Math.min(rowTop(layout, firstDepth), rowTop(layout, firstDepth + depthCount - 1));
    Object.assign(this.#canvas.style, {
      left: `${(first - range.first) * pxPerWeight}px`,
      top: `${top - topPx}px`,
      width: `${(last - first) * pxPerWeight}px`,
      height: `${depthCount * rowPx}px`,
    });
  }

  destroy(): void {
    this.#canvas.remove();
  }
}

function imageOf(
  { columns, depthCount, func }: SliceTexture,
  { orientation, rowPx }: FlameLayout,
  colourOf: (func: number) => string,
): ImageData {
  const image = new ImageData(columns, depthCount * rowPx);
  const pixels = new DataView(image.data.buffer);
  const colours = new Map<number, number>();
  const lineBytes = 4 * columns;
  for (let depth = 0; depth < depthCount; depth++) {
    const row = orientation === 'flame' ? depthCount - 1 - depth : depth;
    const begin = (row * rowPx + GAP_PX) * lineBytes;
    for (let column = 0; column < columns; column++) {
      const of = func[depth * columns + column]!;
      if (of < 0) continue;
      let colour = colours.get(of);
      if (colour === undefined) colours.set(of, (colour = opaque(colourOf(of))));
      pixels.setUint32(begin + 4 * column, colour);
    }
    for (let line = 1; line < rowPx - GAP_PX; line++) {
      image.data.copyWithin(begin + line * lineBytes, begin, begin + lineBytes);
    }
  }
  return image;
}

/** Returns the colour as the bytes red, green, blue and alpha. */
function opaque(hex: string): number {
  const { red, green, blue } = fromHex(hex);
  return ((red << 24) | (green << 16) | (blue << 8) | 255) >>> 0;
}
