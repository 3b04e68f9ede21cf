/** Constants that writer, reader and viewer of a report's file share. */

/** Identifies a report within its first bytes. */
export const REPORT_MARK = '<html lang="en" data-flamebench-report="1">';
/** Types of elements that hold data: no browser runs them. */
export const REPORT_TYPE = 'application/x-flamebench-report';
export const CAPTURE_TYPE = 'application/x-flamebench-capture';
/** Ids of those elements. */
export const REPORT_ELEMENT = 'flamebench-report';
export const captureElement = (id: string): string => `capture-${id}`;
