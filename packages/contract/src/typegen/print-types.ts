/** Prints the declared types as TypeScript interfaces, so that clients get types and comments without a schema library. */
import { type DeclaredName, declarations, typesByDomain } from '../schemas/declarations.ts';
import type { Declaration, FieldSchema } from '../schemas/fields.ts';
import { referencedNames } from '../schemas/input.ts';

const header = '// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.\n';

/**
 * TypeScript type of one field.
 * @param nameOf the name to print for a declared type
 */
export function fieldType(schema: FieldSchema, nameOf = (name: string) => name): string {
  if (schema.$ref) return nameOf(schema.$ref.slice(0, -1));
  if (schema['x-words']) {
    const words = schema['x-words'].map((item) => `'${item}'`);
    return `${words.join(' | ')} | \`${schema['x-prefix']}\${number}\``;
  }
  if (schema.enum) return schema.enum.map((item) => (typeof item === 'number' ? item : `'${item}'`)).join(' | ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'array': {
      const item = fieldType(schema.items ?? {}, nameOf);
      const array = item.includes(' ') ? `(${item})[]` : `${item}[]`;
      return schema['x-or-text'] ? `${array} | string` : array;
    }
    case 'object':
      return `Record<string, ${fieldType(schema.additionalProperties ?? {}, nameOf)}>`;
    default:
      return 'JsonValue';
  }
}

function printInterface(name: string, { description, fields }: Declaration): string {
  const lines = Object.entries(fields).map(
    ([field, schema]) =>
      `  /** ${schema.description} */\n  ${field}?: ${fieldType(schema)}${schema['x-null'] ? ' | null' : ''};`,
  );
  return `/** ${description} */\nexport interface ${name} {\n${lines.join('\n')}\n}\n`;
}

function printImports(domain: string, types: Readonly<Record<string, Declaration>>): string {
  const wanted = new Map<string, Set<string>>();
  let json = false;
  for (const { fields } of Object.values(types)) {
    for (const schema of Object.values(fields)) {
      json ||= fieldType(schema).includes('JsonValue');
      for (const name of referencedNames(schema)) {
        const home = homeOf(name);
        if (home !== domain) wanted.set(home, (wanted.get(home) ?? new Set()).add(name));
      }
    }
  }
  const lines = [...wanted]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([home, names]) => `import type { ${[...names].sort().join(', ')} } from './${home}.generated.ts';\n`);
  if (json) lines.push("import type { JsonValue } from './json.ts';\n");
  return lines.join('');
}

function homeOf(name: DeclaredName): string {
  const found = Object.entries(typesByDomain).find(([, types]) => Object.hasOwn(types, name));
  if (!found) throw new Error(`${name} is declared in no domain`);
  return found[0];
}

/**
 * The generated files of `src/types`.
 * @returns text by file name
 */
export function printTypes(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [domain, types] of Object.entries(typesByDomain)) {
    const body = Object.entries<Declaration>(types).map(([name, declaration]) => printInterface(name, declaration));
    files.set(`${domain}.generated.ts`, `${header}${printImports(domain, types)}\n${body.join('\n')}`);
  }
  files.set('type-map.generated.ts', printTypeMap());
  return files;
}

function printTypeMap(): string {
  const imports = Object.entries(typesByDomain).map(
    ([domain, types]) => `import type { ${Object.keys(types).sort().join(', ')} } from './${domain}.generated.ts';\n`,
  );
  const names = Object.keys(declarations).sort();
  const map = names.map((name) => `  ${name}: ${name};`).join('\n');
  return `${header}${imports.join('')}\n/** Every declared type by its name. */\nexport interface TypeMap {\n${map}\n}\n\n/** Name of a declared type. */\nexport type TypeName = keyof TypeMap;\n`;
}
