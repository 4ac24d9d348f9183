/** Applies the templates for new posts in the file of a community. */
import { isDeepStrictEqual } from 'node:util';
import {
  type CommunityFileTemplate,
  type CreatePostTemplateRequest,
  type JsonValue,
  TextFormat,
  Visibility,
} from '@portico/contract';
import { ValidationError } from '../../../kernel/errors.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { holdsObjects, typeOf } from '../../fields/index.ts';
import { deletePostTemplate, putPostTemplates, type TemplateRow } from '../../posts/index.ts';
import { namedFields } from './apply-fields.ts';
import { resolveSets } from './file-conditions.ts';
import { deltaOf } from './file-texts.ts';
import type { Steps } from './steps.ts';

/** Creates, updates and deletes templates, after the fields are stored. Without a list they stay. */
export async function applyTemplates(steps: Steps, communityId: number): Promise<void> {
  const { within, file, present } = steps;
  if (!file.templates) return;
  const kept = new Set(file.templates.map(({ name }) => name));
  for (const [name, { id }] of present.ids.templates) if (!kept.has(name)) await deletePostTemplate(within, id);
  const before = new Map(present.file.templates?.map((template) => [template.name, template]));
  const changed = [...file.templates.entries()].filter(([, item]) => !isDeepStrictEqual(before.get(item.name), item));
  if (changed.length === 0) return;
  const named = await namedFields(steps, communityId);
  const given = changed.map(([index, template]) => {
    const row = present.ids.templates.get(template.name ?? '');
    const path = `file.templates[${index}]`;
    const values = resolveSets(template.values ?? [], named, `${path}.values`, 'posts');
    return { ...(row && { id: row.id }), path, values, body: bodyOf(template, values, row, [...named.posts.values()]) };
  });
  await atValues(given, () => putPostTemplates(within, communityId, given));
}

interface ResolvedValue {
  readonly fieldId: number;
  readonly values: readonly JsonValue[];
}

/** @param row the present template: values that files do not hold stay */
function bodyOf(
  { name = '', title, description, visibility }: CommunityFileTemplate,
  values: readonly ResolvedValue[],
  row: TemplateRow | undefined,
  fields: readonly FieldDefinition[],
): CreatePostTemplateRequest {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const customData: Record<string, JsonValue> = {};
  for (const field of fields) {
    const stored = row?.customData[field.id];
    if (stored !== undefined && holdsObjects(field)) customData[field.id] = stored as JsonValue;
  }
  for (const {
    fieldId,
    values: [first, ...others],
  } of values) {
    const field = byId.get(fieldId)!;
    const value = typeof first === 'string' && typeOf(field).kind === 'richText' ? deltaOf(first) : first!;
    customData[fieldId] = others.length > 0 || typeOf(field).list === true ? [value, ...others] : value;
  }
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description: deltaOf(description), descriptionFormat: TextFormat.DELTA }),
    ...(visibility !== undefined && { visibility: Visibility[visibility] }),
    customData: customData as NonNullable<CreatePostTemplateRequest['customData']>,
  };
}

/** Reports errors of values at their places in the file. */
async function atValues(
  given: readonly { readonly path: string; readonly values: readonly ResolvedValue[] }[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const placed = (field: string) => {
      const [, path, id] = /^(.*)\.customData\.(\d+)/.exec(field) ?? [];
      const values = given.find((template) => template.path === path)?.values ?? [];
      const index = values.findIndex(({ fieldId }) => fieldId === Number(id));
      return index < 0 ? field : `${path}.values[${index}].values`;
    };
    throw new ValidationError(error.errors.map((fault) => ({ ...fault, field: placed(fault.field) })));
  }
}
