/** What a label is written on: a frame, one that is dimmed or greyed, a filler. */
export type LabelTone = 'frame' | 'dimmed' | 'grey' | 'filler';

const TONE_COLOURS: Readonly<Record<LabelTone, string>> = {
  frame: '--frame-text',
  dimmed: '--frame-dimmed-text',
  grey: '--frame-grey-text',
  filler: '--filler-text',
};

/** A label and where it begins, in CSS pixels of the drawing. */
export interface PlacedLabel {
  readonly text: string;
  readonly left: number;
  readonly baseline: number;
  readonly tone: LabelTone;
}

/** Beside the text of a filler, and from its baseline up; in all. */
const PLATE_PX = 2;
const PLATE_TOP_PX = 10;
const PLATE_HEIGHT_PX = 13;

interface DrawnLabels {
  readonly labels: readonly PlacedLabel[];
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * The labels of all frames, in one canvas above them: as elements, each to be styled, laid out and painted, they take as much of a
 * zoom's time as all else.
 */
export class LabelCanvas {
  readonly #host: HTMLElement;
  readonly #canvas = document.createElement('canvas');
  readonly #paint = this.#canvas.getContext('2d');
  /** As wide as the face makes it. */
  readonly #face = document.createElement('span');
  readonly #faceWatch = new ResizeObserver(() => this.#drawAgain());
  readonly #ended = new AbortController();
  #scale = 0;
  #drawn: DrawnLabels | null = null;

  /** Face and colours are those of `host`. */
  constructor(host: HTMLElement) {
    this.#host = host;
    this.#canvas.className = 'flame-labels';
    this.#face.className = 'flame-face';
    host.append(this.#canvas, this.#face);
    this.#faceWatch.observe(this.#face);
    this.#watchScreen();
  }

  /** In place of those before. A canvas that writes asks for the style of the page: once all else of a drawing is changed, that is worked out once. */
  draw(labels: readonly PlacedLabel[], widthPx: number, heightPx: number): void {
    this.#drawn = { labels, widthPx, heightPx };
    const paint = this.#paint;
    if (paint === null) return;
    const style = getComputedStyle(this.#host);
    this.#fit(widthPx, heightPx);
    paint.clearRect(0, 0, this.#canvas.width / this.#scale, this.#canvas.height / this.#scale);
    paint.font = style.font;
    // What lies below a filler's label has many colours.
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

  /** A window that moves to a screen with more pixels changes nothing else. */
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

  /** At the screen's own pixels. It only grows: a canvas of another size is another piece of memory, which takes longer than its labels. */
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
