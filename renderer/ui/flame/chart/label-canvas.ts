/** The background of a label: a frame, a dimmed or grey frame, or a filler. */
export type LabelTone = 'frame' | 'dimmed' | 'grey' | 'filler';

const TONE_COLOURS: Readonly<Record<LabelTone, string>> = {
  frame: '--frame-text',
  dimmed: '--frame-dimmed-text',
  grey: '--frame-grey-text',
  filler: '--filler-text',
};

/** A label with its position, in CSS pixels of the drawing. */
export interface PlacedLabel {
  readonly text: string;
  readonly left: number;
  readonly baseline: number;
  readonly tone: LabelTone;
}

/**
 * The plate behind a filler's label: its margin at the sides of the text, its top above the baseline, and its height.
 */
const PLATE_PX = 2;
const PLATE_TOP_PX = 10;
const PLATE_HEIGHT_PX = 13;

interface DrawnLabels {
  readonly labels: readonly PlacedLabel[];
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Draws the labels of all frames in one canvas above them. As elements, which the browser must style, lay out and
 * paint, they would take as much of a zoom's time as everything else together.
 */
export class LabelCanvas {
  readonly #host: HTMLElement;
  readonly #canvas = document.createElement('canvas');
  readonly #paint = this.#canvas.getContext('2d');
  /** An element whose width depends on the font, to detect its changes. */
  readonly #face = document.createElement('span');
  readonly #faceWatch = new ResizeObserver(() => this.#drawAgain());
  readonly #ended = new AbortController();
  #scale = 0;
  #drawn: DrawnLabels | null = null;

  /** Font and colours are those of `host`. */
  constructor(host: HTMLElement) {
    this.#host = host;
    this.#canvas.className = 'flame-labels';
    this.#face.className = 'flame-face';
    host.append(this.#canvas, this.#face);
    this.#faceWatch.observe(this.#face);
    this.#watchScreen();
  }

  /**
   * Replaces the labels. Drawing text on a canvas computes the page's style, so it comes after all other changes of a
   * drawing, for which that is then done once.
   */
  draw(labels: readonly PlacedLabel[], widthPx: number, heightPx: number): void {
    this.#drawn = { labels, widthPx, heightPx };
    const paint = this.#paint;
    if (paint === null) return;
    const style = getComputedStyle(this.#host);
    this.#fit(widthPx, heightPx);
    paint.clearRect(0, 0, this.#canvas.width / this.#scale, this.#canvas.height / this.#scale);
    paint.font = style.font;
    // A plate hides the many colours below a filler's label.
    paint.fillStyle = style.getPropertyValue('--filler-ground');
    for (const { tone, text, left, baseline } of labels) {
      if (tone !== 'filler') continue;
      paint.fillRect(
        left - PLATE_PX,
        baseline - PLATE_TOP_PX,
        paint.measureText(text).width + 2 * PLATE_PX,
        PLATE_HEIGHT_PX,
      );
    }
    for (const tone of Object.keys(TONE_COLOURS) as LabelTone[]) {
      paint.fillStyle = style.getPropertyValue(TONE_COLOURS[tone]);
      for (const label of labels) if (label.tone === tone) paint.fillText(label.text, label.left, label.baseline);
    }
  }

  destroy(): void {
    this.#ended.abort();
    this.#faceWatch.disconnect();
    this.#canvas.remove();
    this.#face.remove();
  }

  #drawAgain(): void {
    if (this.#drawn !== null) this.draw(this.#drawn.labels, this.#drawn.widthPx, this.#drawn.heightPx);
  }

  /** Redraws when the window moves to a screen with another pixel ratio, which changes nothing else. */
  #watchScreen(): void {
    const { signal } = this.#ended;
    const sameScreen = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    const changed = (): void => {
      if (signal.aborted) return;
      this.#drawAgain();
      this.#watchScreen();
    };
    sameScreen.addEventListener('change', changed, { once: true, signal });
  }

  /**
   * Sizes the canvas in device pixels. It only grows, because resizing allocates memory, which takes longer than
   * drawing the labels.
   */
  #fit(widthPx: number, heightPx: number): void {
    const canvas = this.#canvas;
    const scale = window.devicePixelRatio;
    const isSameScreen = scale === this.#scale;
    const width = Math.ceil(widthPx * scale);
    const height = Math.ceil(heightPx * scale);
    if (isSameScreen && width <= canvas.width && height <= canvas.height) return;
    canvas.width = isSameScreen ? Math.max(width, canvas.width) : width;
    canvas.height = isSameScreen ? Math.max(height, canvas.height) : height;
    canvas.style.width = `${canvas.width / scale}px`;
    canvas.style.height = `${canvas.height / scale}px`;
    this.#paint?.scale(scale, scale);
    this.#scale = scale;
  }
}
