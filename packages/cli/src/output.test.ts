/** Cells of tables and CSV. */
import { expect, it } from 'vitest';
import { csvCell, shownText } from './output.ts';

it('shows changes of the audit log in words, other lists by their elements', () => {
  const changes = [
    { field: 'adminCapabilities', before: '{}', beforeRights: [], afterRights: [{ adminCapability: 'manageUsers' }] },
    { field: 'firstname', before: '"Ada"', after: '"Grace"' },
  ];
  const words = 'adminCapabilities: none → Manages people; firstname: "Ada" → "Grace"';
  expect(shownText('changes', changes)).toBe(words);
  expect(csvCell(changes, 'changes')).toContain('adminCapabilities: none → Manages people; ');
  expect(csvCell(['a', 'b'])).toContain('a, b');
  expect(shownText('changes', [])).toBe('');
});
