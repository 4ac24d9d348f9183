import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FieldType, operationList, parts } from '@portico/contract';
import { declarations } from '@portico/contract/schemas';
import { tables } from '@portico/server/testing/dataset';
import { describe, expect, it } from 'vitest';
import { tableEntities } from '../packages/contract/src/entities.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const text = readFileSync(join(root, 'docs/recipes.md'), 'utf8');

/** Maximum number of files that an addition touches. */
const LIMITS: Readonly<Record<string, number>> = {
  'Add a read': 5,
  'Add a write': 7,
  'Add a part of the product': 7,
  'Add a field type': 3,
  'Add a table': 7,
  'Add an action to the page': 4,
};

interface Row {
  file: string;
  words: string[];
}

const sections = text.split(/^## /m).slice(1);
/** The section of additions that are described in a paragraph each, without a table. */
const smallAdditions = sections.find((section) => section.startsWith('Add to a feature\n')) ?? '';

/** The rows of the table of each recipe by its heading. */
const recipes = new Map(
  sections
    .filter((section) => section !== smallAdditions)
    .map((section) => {
      const rows = [...section.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \|.*\| ([^|]+) \|$/gm)].map(
        ([, link = '', words = '']): Row => ({
          file: normalize(join('docs', link)),
          words: [...words.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
        }),
      );
      return [section.slice(0, section.indexOf('\n')), rows];
    }),
);

/** Every hand-written source of the product by its path, migrations included. */
const product = new Map(
  globSync(['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts', 'apps/*/migrations/**/*.sql'], { cwd: root })
    .filter((file) => !/\.(test|fixture|generated)\.ts$|\/testing\//.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

/** Whether a page uses a part of the client library, as any page may. */
const usesClient = (file: string, word: string) =>
  file.startsWith('apps/web/src/') && new RegExp(`\\bportal\\.${word}\\b`).test(product.get(file) ?? '');

/** The same with the components of the page, which only its recipe names. */
const page = new Map([
  ...product,
  ...globSync('apps/web/src/**/*.tsx', { cwd: root }).map(
    (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
  ),
]);

it('has every recipe', () => {
  expect([...recipes.keys()]).toEqual(Object.keys(LIMITS));
});

it('describes each addition to a feature, by words that stand in the files it links to', () => {
  const additions = [...smallAdditions.matchAll(/^\*\*An? ([^*]+)\.\*\*/gm)].map(([, name]) => name);
  const expected = [
    ...['job', 'sealed secret', 'setting', 'metric', 'error code', 'right', 'audit object', 'notification'],
    'language of the page',
  ];
  expect(additions).toEqual(expected);
  for (const [, word = '', link = ''] of smallAdditions.matchAll(/\[`([^`]+)`\]\(([^)#]+)\)/g)) {
    const source = readFileSync(join(root, 'docs', link), 'utf8');
    expect(new RegExp(`\\b${word.replace('.', '\\.')}(?!\\w)`).test(source), `${word} in ${link}`).toBe(true);
  }
});

it('links to files that exist', () => {
  for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g)) {
    expect(() => readFileSync(join(root, 'docs', link)), link).not.toThrow();
  }
});

describe.each([...recipes])('%s', (heading, rows) => {
  it('names at most so many files', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(LIMITS[heading] ?? 0);
  });

  it('names words that stand in its files and in no other of the product', () => {
    for (const word of new Set(rows.flatMap(({ words }) => words))) {
      const found = [...(heading === 'Add an action to the page' ? page : product)]
        .filter(
          ([file, source]) =>
            !usesClient(file, word) && new RegExp(`\\b${word.replace(/[.{]/g, '\\$&')}(?!\\w)`).test(source),
        )
        .map(([file]) => file);
      const named = rows.filter(({ words }) => words.includes(word)).map(({ file }) => file);
      expect(found.sort(), word).toEqual(named.sort());
    }
  });
});

describe('Add a read, add a write', () => {
  const ids = new Set<string>(operationList.map(({ id }) => id));
  /** Files that name three operations or more, each with its role for a new operation. */
  const LISTS: Readonly<Record<string, string>> = {
    'packages/contract/src/permissions.ts':
      'permissions and capabilities with the names of operations, which serve many of them',
    'packages/cli/src/client/edit.ts': 'of the recipe: commands that start from a form',
    'packages/cli/src/client/register.ts': 'commands that take names in place of ids',
    'packages/sdk/src/client.ts': 'methods that do more than send one request',
    'packages/contract/src/typegen/print-methods.ts': 'types of methods that take names in place of ids',
    'packages/sdk/src/name-resolver.ts': 'methods that take names in place of ids',
    'packages/sdk/src/name-check.ts': 'methods that take names of fields and states in place of ids',
    'packages/sdk/src/references.ts': 'methods that take names of communities and people in place of ids',
    'apps/web/src/texts/de/admin.ts': 'permissions of roles in German, some with the names of operations',
    'apps/web/src/texts/it/admin-roles.ts': 'the same in Italian',
    'apps/web/src/offline/outbox.ts': 'writes that the page sends again once it is online',
    'apps/server/src/http/mount.ts': 'operations that set or remove the cookie of a session, or answer late',
    'apps/server/src/modules/people/auth/device-sign-ins.ts': 'operations of sign-ins on devices',
    'apps/server/src/modules/people/auth/personal-tokens.ts': 'operations that a token may not call, or always may',
    'apps/server/src/modules/people/auth/required-second-factor.ts': 'operations before a second factor is set up',
    'apps/server/src/modules/people/auth/sessions.ts': 'operations of sessions',
  };

  it('leaves operations to their declaration and their handler', () => {
    const listing = [...product]
      .filter(([file]) => !/^packages\/contract\/src\/operations\/|\.routes\.ts$/.test(file))
      .filter(([, source]) => {
        const named = [...source.matchAll(/'(\w+)'|^ +(\w+): /gm)].map(([, quoted, key]) => quoted ?? key ?? '');
        return new Set(named.filter((name) => ids.has(name))).size >= 3;
      })
      .map(([file]) => file);
    expect(listing.sort()).toEqual(Object.keys(LISTS).sort());
  });

  it('declares each operation in one file, and handles it in one', () => {
    const named = (pattern: RegExp, word: (id: string) => RegExp) =>
      new Map(
        [...ids].map((id) => [
          id,
          [...product].filter(([file, source]) => pattern.test(file) && word(id).test(source)).length,
        ]),
      );
    const declared = named(/^packages\/contract\/src\/operations\//, (id) => new RegExp(`^  ${id}: \\{$`, 'm'));
    const handled = named(/\.routes\.ts$/, (id) => new RegExp(`^  (?:async )?${id}[:,(]`, 'm'));
    expect([...declared].filter(([, files]) => files !== 1)).toEqual([]);
    expect([...handled].filter(([, files]) => files > 1)).toEqual([]);
  });
});

describe('Add a part of the product', () => {
  it('leaves the texts about parts and the lists of them to the files of its table', () => {
    const names = Object.keys(parts).join('|');
    const listing = [...product]
      .filter(
        ([, source]) =>
          new Set([...source.matchAll(new RegExp(`^ +'?(${names})'?: ['{\\[(]`, 'gm'))].map(([, name]) => name)).size >
          8,
      )
      .map(([file]) => file);
    expect(listing).toEqual(['packages/contract/src/operations/parts.ts']);
  });
});

describe('Add a field type', () => {
  /** Content made of fields of single types, which decides about no type. */
  const CONTENT: Readonly<Record<string, string>> = {
    'bench/src/dataset/field-plan.ts':
      'the form of the measured community; fields of other types are added from samples',
    'packages/contract/src/operations/communities/communities.ts': 'a field of the definition shown as an example',
    'packages/contract/src/operations/communities/definition-forms.ts': 'new fields shown as examples',
    'packages/contract/src/operations/communities/definition-changes.ts': 'types that fields become shown as examples',
    'packages/cli/src/commands/community-types.ts': 'a type whose values programs may send as bigint',
    'bench/src/definitions.ts': 'the type that the field of the measurement becomes',
    'apps/server/src/modules/imports/suggestion/detect.ts': 'types that values of imported columns look like',
    'apps/web/src/communities/builder/field-list.tsx': 'the menu of new fields, in the order of the builder',
    'apps/web/src/communities/builder/field-editor.tsx': 'settings that one type alone has',
    'apps/web/src/communities/builder/form-fields.ts': 'types whose fields have values to choose from',
    'apps/web/src/communities/builder/conditions-editor.tsx': 'conditions that the builder edits',
    'apps/web/src/communities/builder/access-editor.tsx': 'fields of people that give access',
  };
  const sources = new Map([
    ...product,
    ...globSync(['bench/src/**/*.ts', 'apps/web/src/**/*.tsx'], { cwd: root })
      .filter((file) => !/\.test\.ts$/.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
  ]);
  // The quoted words DATE and DATETIME are the precision of a date.
  const quoted = Object.keys(FieldType).filter((name) => name !== 'DATE' && name !== 'DATETIME');
  const single = new RegExp(`\\bFieldType\\.[A-Z]|\\bFieldType\\[['"]|(['"])(?:${quoted.join('|')})\\1`);

  it('leaves single types to the files of its table', () => {
    const records = recipes.get('Add a field type')!.filter(({ words }) => words.includes('FieldType.FEEDBACK'));
    const naming = [...sources].filter(([, source]) => single.test(source)).map(([file]) => file);
    expect(naming.sort()).toEqual([...records.map(({ file }) => file), ...Object.keys(CONTENT)].sort());
  });

  it('names every type in the tables of the documents', () => {
    for (const file of ['docs/interface.md', 'docs/decisions/values.md', 'docs/importing.md']) {
      const document = readFileSync(join(root, file), 'utf8');
      const missing = Object.keys(FieldType).filter((name) => !new RegExp(`\\b${name}\\b`).test(document));
      expect(missing, file).toEqual([]);
    }
  });

  it('needs one file for each type', () => {
    const files = globSync('apps/server/src/modules/fields/types/*.ts', { cwd: root });
    expect(files).toHaveLength(Object.keys(FieldType).length);
  });
});

describe('Add a table', () => {
  it('names the objects that dry runs report in their description', () => {
    const { description = '' } = declarations.DryRunChange.fields['entity']!;
    const entities = [...tables.values()].flatMap(({ entity }) => (entity === undefined ? [] : [entity]));
    const missing = entities.filter((entity) => !description.includes(`\`${entity}\``));
    expect(missing, '`npm run generate` names them').toEqual([]);
    expect([...tableEntities].sort()).toEqual(entities.sort());
  });

  it('shows a table whose rows are objects', () => {
    const words = recipes.get('Add a table')!.flatMap((row) => row.words);
    const shown = [...tables.values()].filter(({ name }) => words.includes(`${name}: {`));
    expect(shown.map(({ entity }) => entity)).toEqual([expect.any(String)]);
  });

  it('leaves lists of tables to the registry', () => {
    const others = [
      // Tables of the registry of tenants and of the migrations, which the service only reads.
      'apps/server/src/schema/migrate.ts',
    ];
    const listing = [...product].filter(([, source]) =>
      [...source.matchAll(/\[((?:\s*'\w+',?){3,})\s*\]/g)].some(([, names = '']) =>
        [...names.matchAll(/'(\w+)'/g)].every(([, name = '']) => tables.has(name)),
      ),
    );
    expect(listing.map(([file]) => file).sort()).toEqual(others);
  });
});
