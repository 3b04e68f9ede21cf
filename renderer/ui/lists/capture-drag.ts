import { useState } from 'react';
import type { DragEvent } from 'react';

/** What a drag of captures from the library carries: their ids, as JSON. */
const CAPTURES = 'application/x-flamebench-captures';

/** Captures that a row stands for begin to be dragged. */
export function startCaptureDrag({ dataTransfer }: DragEvent, ids: readonly string[]): void {
  dataTransfer.setData(CAPTURES, JSON.stringify(ids));
  dataTransfer.effectAllowed = 'copy';
}

export const carriesCaptures = ({ types }: DataTransfer): boolean => types.includes(CAPTURES);

/** Ids that were dropped; what another program puts under our type is nothing. */
export function droppedCaptures(dataTransfer: DataTransfer): string[] {
  try {
    const ids: unknown = JSON.parse(dataTransfer.getData(CAPTURES));
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export interface CaptureDrop {
  readonly isOver: boolean;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** Makes an element a place where captures can be dropped. */
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
    onDragLeave: () => {
      setOver(false);
    },
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
