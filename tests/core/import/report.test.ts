import { checkImport } from '../../support/check-import.ts';

checkImport({ path: 'report/finding.report.html', format: 'report', isText: true, profileFormat: 'folded' });
