import { describe, expect, it } from 'vitest';
import type { Check } from '#core/contract/schemas.ts';
import { reportSummary, reportText, worstCheck } from '../../../../renderer/state/targets/doctor-report.ts';

const check = (id: string, status: Check['status'], remedy: string | null = null): Check => ({
  id,
  status,
  found: `about ${id}`,
  remedy,
});
const CHECKS = [
  check('kernel', 'ok'),
  check('sudo', 'warning', 'ask for it'),
  check('perf', 'failed', 'apt install linux-perf'),
  check('clock', 'unknown'),
];

describe('the doctor’s report', () => {
  it('has a summary, while it runs and after', () => {
    expect(reportSummary({ checks: CHECKS, running: false })).toBe('4 checks: 1 failed, 1 warning, 1 unknown');
    expect(reportSummary({ checks: CHECKS.slice(0, 1), running: true })).toBe('1 check so far');
    expect(reportSummary({ checks: CHECKS.slice(0, 1), running: false })).toBe('1 check: all passed');
  });

  it('starts with failures, then warnings', () => {
    expect(worstCheck(CHECKS)?.id).toBe('perf');
    expect(worstCheck(CHECKS.slice(0, 2))?.id).toBe('sudo');
    expect(worstCheck([check('clock', 'unknown')])).toBeNull();
  });

  it('is copied with remedies', () => {
    expect(reportText('web-1', { checks: CHECKS.slice(1, 3), pid: 7 }).split('\n')).toEqual([
      'Flamebench doctor on web-1, PID 7',
      'warning sudo: about sudo',
      '        ask for it',
      'failed  perf: about perf',
      '        apt install linux-perf',
    ]);
  });
});
