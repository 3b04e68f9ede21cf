import type { ReactElement } from 'react';

/**
 * Outlines of 16 × 16; colour and size come from the surrounding text. Icons are decorative: the control that contains
 * one has its own name.
 */
const PATHS = {
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-right': 'M6 4l4 4-4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  add: 'M8 3v10M3 8h10',
  funnel: 'M2.5 3h11L9.6 8.2v4.3l-3.2-1.7V8.2z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7L14 14',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  warning: 'M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.2v3.6M8 5v.1',
  check: 'M3 8.5l3.2 3.2L13 5',
  question: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.4 6.3a1.7 1.7 0 1 1 2.3 1.6c-.5.2-.7.5-.7 1.1M8 11v.1',
  circle: 'M8 12.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  contrast: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M8 5h4.5M8 8h6M8 11h4.5',
  'rows-layout': 'M2.5 3h11v10h-11zM2.5 8.8h11',
  'columns-layout': 'M2.5 3h11v10h-11zM8.8 3v10',
  sidebar: 'M2.5 3h11v10h-11zM6 3v10',
  settings:
    'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM6 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  panel: 'M2.5 3h11v10h-11zM10 3v10M11.6 6h.3M11.6 8h.3',
  open: 'M2 12.5v-9h4l1.5 2H14v7z',
  share: 'M8 9.5v-7M5 5.2l3-2.7 3 2.7M3.5 8v5.5h9V8',
  keep: 'M8 2.5v7M5 7l3 3 3-3M3 13h10',
  pen: 'M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2zM9.4 4.4l2.2 2.2',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  live: 'M1.5 8h3l2-4.5 3 9 2-4.5h3',
  load: 'M3 13.5V10M6.5 13.5V7M10 13.5V5M13.5 13.5V2.5',
  undo: 'M6.2 3L3 6.2l3.2 3.2M3 6.2h6.2a3.8 3.8 0 0 1 0 7.6H7',
  redo: 'M9.8 3L13 6.2 9.8 9.4M13 6.2H6.8a3.8 3.8 0 0 0 0 7.6H9',
  split: 'M2.5 3h11v10h-11zM8 3v10M10.8 6.4v3.2M9.2 8h3.2',
  link: 'M6.8 9.2l2.4-2.4M7.4 4.9l1.2-1.2a2.6 2.6 0 0 1 3.7 3.7l-1.2 1.2M8.6 11.1l-1.2 1.2a2.6 2.6 0 0 1-3.7-3.7l1.2-1.2',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  range: 'M3 3v10M13 3v10M5.5 8h5M5.5 8l1.6-1.6M5.5 8l1.6 1.6M10.5 8L8.9 6.4M10.5 8L8.9 9.6',
  flag: 'M4 14V2.5M4 3h8l-2 2.8 2 2.7H4',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  granularity: 'M2.5 4h11M2.5 8h7.5M2.5 12h4',
  fit: 'M2.5 6V3h3M13.5 6V3h-3M2.5 10v3h3M13.5 10v3h-3',
  'zoom-in': 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7L14 14M7 4.8v4.4M4.8 7h4.4',
  'zoom-out': 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7L14 14M4.8 7h4.4',
  'arrow-left': 'M9.5 4l-4 4 4 4',
  'arrow-right': 'M6.5 4l4 4-4 4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo of Flamebench. */
export function Mark(): ReactElement {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <rect x="1" y="1" width="14" height="14" rx="4" className="mark-low" />
      <path d="M1 9h14v2a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4z" className="mark-base" />
      <path d="M3.5 1.9A4 4 0 0 1 5 1h6a4 4 0 0 1 4 4v.4H1V5a4 4 0 0 1 2.5-3.1z" className="mark-top" />
    </svg>
  );
}
