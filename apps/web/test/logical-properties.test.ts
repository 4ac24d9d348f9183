/** The page is laid out by the direction of its language: styles name starts and ends, not left and right. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = fileURLToPath(new URL('../src/', import.meta.url));
const PHYSICAL = {
  '.css':
    /(?:^|[\s;{])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-\w+)?|left|right|border-(?:top|bottom)-(?:left|right)-radius)\s*:|(?:text-align|float)\s*:\s*(?:left|right)/,
  '.tsx':
    /\b(?:marginLeft|marginRight|paddingLeft|paddingRight|borderLeft|borderRight)\b|\btextAlign: '(?:left|right)'|\b(?:ml|mr|pl|pr)=\{/,
} as const;

test('no style names left or right', () => {
  const found = readdirSync(here, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const pattern = Object.entries(PHYSICAL).find(([ending]) => path.endsWith(ending))?.[1];
    if (!pattern) return [];
    return readFileSync(join(here, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []));
  });
  expect(found).toEqual([]);
  for (const line of ['  margin-left: 4px;', ' left: 0;', '  text-align: right;', '  float: left;'])
    expect(line).toMatch(PHYSICAL['.css']);
  expect('style={{ paddingLeft: 24 }}').toMatch(PHYSICAL['.tsx']);
});
