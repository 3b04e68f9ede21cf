import { useState, type DragEvent } from 'react';

/** The data type of captures dragged from the library: their IDs as JSON. */
const CAPTURES = 'application/x-flamebench-captures';

/** Starts dragging the captures of a row. */
export function startCaptureDrag({ dataTransfer }: DragEvent, ids: readonly string[]): void {
  dataTransfer.setData(CAPTURES, JSON.stringify(ids));
  dataTransfer.effectAllowed = 'copy';
}

export const carriesCaptures = ({ types }: DataTransfer): boolean => types.includes(CAPTURES);

/** Returns the dropped IDs; data that another program stored under this type is ignored. */
export function droppedCaptures(dataTransfer: DataTransfer): string[] {
  try {
    const ids: unknown = JSON.parse(dataTransfer.getData(CAPTURES));
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

interface CaptureDrop {
  readonly isOver: boolean;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** Returns the handlers that make an element a drop target for captures. */
export function useCaptureDrop(take: (ids: readonly string[]) => void): CaptureDrop {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    onDragOver: (event) => {
      if (!carriesCaptures(event.dataTransfer)) return;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event) => {
      setOver(false);
      if (!carriesCaptures(event.dataTransfer)) return;
      event.preventDefault();
      event.stopPropagation();
      const ids = droppedCaptures(event.dataTransfer);
      if (ids.length > 0) take(ids);
    },
  };
}
