import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openReportTemplates, readTemplate } from '#app/engine/config/report-templates.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('saves templates by name, and skips unreadable ones with a notice', async () => {
  const folder = tempFolder();
  const templates = await openReportTemplates(folder);
  await templates.save({ name: 'b', sections: [{ kind: 'notes' }] });
  await templates.save({ name: 'a', sections: [{ kind: 'text', text: 'x' }] });
  await templates.save({ name: 'b', sections: [{ kind: 'movers', rows: 3 }] });
  expect(templates.list()).toEqual([
    { name: 'a', sections: [{ kind: 'text', text: 'x' }] },
    { name: 'b', sections: [{ kind: 'movers', rows: 3 }] },
  ]);
  await templates.close();
  const file = join(folder, 'report-templates.json');
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { templates: unknown[] };
  writeFileSync(file, JSON.stringify({ ...stored, templates: [...stored.templates, { name: 'c', sections: [{}] }] }));
  const again = await openReportTemplates(folder);
  expect(again.list().map(({ name }) => name)).toEqual(['a', 'b']);
  expect(again.notices.join()).toContain("1 of its templates can't be read");
  await again.remove('a');
  expect(again.list()).toHaveLength(1);
  await again.close();
});

it.each([
  [{ name: '', sections: [] }, 'name'],
  [{ name: 'x', sections: [{ kind: 'script' }] }, 'sections.0'],
  [{ name: 'x', sections: [{ kind: 'movers', rows: 1e9 }] }, 'sections.0.rows'],
  [null, 'not a template'],
])('refuses %j', (sent, message) => {
  expect(() => readTemplate(sent)).toThrow(message);
});
