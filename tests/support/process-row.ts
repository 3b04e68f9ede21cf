import type { Locator } from 'playwright/test';

/** Returns the row of a process in the table of processes; its other columns may show the digits of the PID too. */
export const processRow = (dialog: Locator, pid: number): Locator =>
  dialog.locator(`tr:has(td:nth-child(2):text-is("${pid}"))`);
