import { memo, type CSSProperties, type JSX } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { fitName } from '../../format.ts';
import { pinText } from '../../pin.ts';
import { useRowSizes } from '../../row-sizes.ts';
import type { Column, NumberColumn, TextColumn, TreeColumn, TreePlace } from '../table.types.ts';
import { MONO_PX, PADDING_PX } from '../text-width.ts';

/** Maximum length of a tooltip; names can be megabytes long. */
const MAX_TITLE = 2000;
/** Maximum number of pins in a row; the list has the others. */
const MAX_ROW_PINS = 4;

/** Width of an indentation guide, and of the triangle. */
export const LEVEL_PX = 12;
const TWISTY_PX = 16;
const HOT_PX = 12;
/** Width of the level's number, shown if guides alone are not enough. */
const LEVEL_TEXT_PX = 40;

interface TableRowProps {
  readonly id: string;
  /** −1 while loading. */
  readonly row: number;
  /** Index in the current order, from 0. */
  readonly position: number;
  /** CSS pixels from the top of the scrolled content. */
  readonly top: number;
  readonly columns: readonly Column[];
  readonly firstColumnPx: number;
  readonly place: TreePlace | null;
  /** Number of levels scrolled out to the left, number of guides that fit, and whether levels are numbered. */
  readonly shift: number;
  readonly room: number;
  readonly numbered: boolean;
  readonly selected: boolean;
  readonly active: boolean;
}

export const TableRow = memo(function TableRow(props: TableRowProps): JSX.Element {
  const { row, position, columns, place } = props;
  const className = `table-row${props.selected ? ' selected' : ''}${props.active ? ' active' : ''}`;
  return (
    <tr
      id={props.id}
      className={className}
      aria-rowindex={position + 2}
      aria-selected={props.selected}
      {...(place === null ? {} : treeAttributes(place))}
      {...(row < 0 ? { 'aria-busy': true } : { 'data-position': position })}
      style={{ top: props.top, height: useRowSizes().rowPx }}
    >
      {columns.map((column, index) => {
        if (row < 0) return <td key={column.id}>…</td>;
        if (column.kind === 'number') return <NumberCell key={column.id} column={column} row={row} />;
        if (column.kind === 'tree') return <TreeCell key={column.id} {...props} column={column} />;
        return (
          <TextCell key={column.id} column={column} row={row} widthPx={index === 0 ? props.firstColumnPx : null} />
        );
      })}
    </tr>
  );
});

function treeAttributes({ level, place, siblings, open }: TreePlace) {
  return {
    'aria-level': level,
    'aria-posinset': place,
    'aria-setsize': siblings,
    ...(open === null ? {} : { 'aria-expanded': open }),
  };
}

function TextCell({ column, row, widthPx }: { column: TextColumn; row: number; widthPx: number | null }): JSX.Element {
  const full = visibleText(column.text(row).slice(0, MAX_TITLE));
  const fits = widthPx === null ? full.length : Math.max(4, Math.floor((widthPx - PADDING_PX) / MONO_PX));
  const shown = column.mono ? fitName(full, fits) : full;
  const match = column.isMatch?.(row) === true ? ' match' : '';
  return (
    <td
      className={`${column.mono ? 'mono' : ''} ${column.align}${match}${toneClass(column, row)}`}
      style={colourLine(column, row)}
      title={full}
    >
      {shown}
      <RowPins column={column} row={row} />
    </td>
  );
}

/** The pins of a row, which screen readers read after its name. */
function RowPins({ column, row }: { column: Column; row: number }): JSX.Element | null {
  const pins = column.pins?.(row) ?? [];
  if (pins.length === 0) return null;
  return (
    <>
      {pins.slice(0, MAX_ROW_PINS).map((pin) => (
        <span
          key={pin.id}
          className={`row-pin pin-${pin.colour}${pin.isFaint ? ' faint' : ''}`}
          data-pin={pin.id}
          title={pinText(pin)}
          role="img"
          aria-label={pinText(pin)}
        >
          {pin.number}
        </span>
      ))}
    </>
  );
}

const toneClass = ({ tone }: Column, row: number): string => (tone === undefined ? '' : ` tone-${tone(row)}`);

/** Returns the style of a row's colour line; the name says what its colour represents. */
function colourLine({ colour }: Column, row: number): CSSProperties | undefined {
  const own = colour?.(row) ?? null;
  if (own === null) return undefined;
  const backgroundImage = `linear-gradient(${own}, ${own})`;
  return { backgroundImage, backgroundPosition: '3px 0', backgroundSize: '4px 100%', backgroundRepeat: 'no-repeat' };
}

type TreeCellProps = TableRowProps & { readonly column: TreeColumn };

function TreeCell({ column, row, place, shift, room, numbered, firstColumnPx }: TreeCellProps): JSX.Element {
  const depth = (place?.level ?? 1) - 1;
  const levels = Math.max(0, Math.min(room, depth - shift));
  const guidesPx = levels * LEVEL_PX + (numbered ? LEVEL_TEXT_PX : 0);
  const full = visibleText(column.text(row).slice(0, MAX_TITLE));
  const hotPx = place?.hot === true ? HOT_PX : 0;
  const fits = Math.max(4, Math.floor((firstColumnPx - PADDING_PX - TWISTY_PX - hotPx - guidesPx) / MONO_PX));
  const className = `mono left tree-cell${column.isMatch(row) ? ' match' : ''}${place?.hot === true ? ' hot' : ''}`;
  return (
    <td className={className} style={colourLine(column, row)} title={numbered ? `${full} (level ${depth})` : full}>
      {numbered && (
        <span className="level-text" style={{ width: LEVEL_TEXT_PX }} aria-hidden="true">
          {depth}
        </span>
      )}
      <span
        className="guides"
        aria-hidden="true"
        style={{ width: levels * LEVEL_PX, '--level-px': `${LEVEL_PX}px` } as CSSProperties}
      />
      <span className={`twisty${place?.open === true ? ' open' : ''}`} style={{ width: TWISTY_PX }} aria-hidden="true">
        {place === null || place.open === null ? null : <Triangle />}
      </span>
      <span className="tree-name">{fitName(full, fits)}</span>
      <RowPins column={column} row={row} />
    </td>
  );
}

function Triangle(): JSX.Element {
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" focusable="false">
      <path d="M6 4l4 4-4 4" />
    </svg>
  );
}

function NumberCell({ column, row }: { column: NumberColumn; row: number }): JSX.Element {
  const value = column.value(row);
  const { barWhole } = column;
  const text = column.format(value, row);
  const exact = column.exact?.(value, row);
  const title = exact === undefined || exact === text ? undefined : exact;
  if (column.swing !== undefined) {
    return (
      <td className={`mono right with-bar${toneClass(column, row)}`} title={title}>
        <SwingBar {...column.swing} row={row} />
        <span className="bar-value">{text}</span>
      </td>
    );
  }
  if (barWhole === undefined) {
    return (
      <td className={`mono right${toneClass(column, row)}`} title={title}>
        {text}
      </td>
    );
  }
  const share = barWhole > 0 ? Math.min(1, Math.max(0, value / barWhole)) : 0;
  return (
    <td className="mono right with-bar" title={title}>
      <span className="bar-space">
        <span className="bar" style={{ width: `${(100 * share).toFixed(2)}%` }} />
      </span>
      <span className="bar-value">{text}</span>
    </td>
  );
}

function SwingBar({ value, whole, row }: NonNullable<NumberColumn['swing']> & { row: number }): JSX.Element {
  const part = whole > 0 ? Math.max(-1, Math.min(1, value(row) / whole)) : 0;
  const width = `${(50 * Math.abs(part)).toFixed(2)}%`;
  return (
    <span className="swing" aria-hidden="true">
      {part !== 0 && <span style={part < 0 ? { right: '50%', width } : { left: '50%', width }} />}
    </span>
  );
}
