/** Operations that create, edit and delete templates, and create posts from them. */
import {
  type CreateCustomPostRequest,
  type CreatePostTemplateRequest,
  definitionLimits,
  type EditPostTemplateRequest,
  PartUse,
  type PostTemplate,
  PostType,
  TextFormat,
} from '@portico/contract';
import { storableText } from '@portico/platform/text';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import { requiredText } from '../../../kernel/text-input.ts';
import {
  type CommunityDefinition,
  getDefinition,
  refuseArchived,
  requireCommunityEditor,
} from '../../communities/index.ts';
import { fieldRules, validateFieldData } from '../../post-parts/index.ts';
import { type CreatedPost, createOne } from '../writing/create-post.ts';
import { readTexts } from '../writing/texts.ts';
import { presentTemplates, requireTemplate, valuesFor } from './read-templates.ts';
import {
  deleteTemplate,
  insertTemplate,
  measureTemplates,
  type TemplateContent,
  type TemplateRow,
  templateBytes,
  updateTemplate,
} from './templates.repository.ts';

async function answer(write: WriteScope, definition: CommunityDefinition, id: number): Promise<PostTemplate> {
  const row = await requireTemplate(write.tx, write.actor, id);
  const [shown] = await presentTemplates(write, write.tx, definition, [row]);
  return shown!;
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
async function requireEditable(write: WriteScope, communityId: number): Promise<CommunityDefinition> {
  requireCommunityEditor(write.actor, communityId);
  const definition = await getDefinition(write, communityId);
  if (!definition) throw notFound();
  refuseArchived(definition.community);
  return definition;
}

/**
 * Reads the content of a template. Values that a post requires may be missing: the post is checked
 * for them.
 * @param trusted accepts values of read-only and hidden fields
 */
export async function readContent(
  write: WriteScope,
  definition: CommunityDefinition,
  body: CreatePostTemplateRequest,
  before: Readonly<Record<string, unknown>>,
  errors: FieldErrors,
  trusted = false,
): Promise<TemplateContent> {
  const name = requiredText('name', storableText(body.name ?? ''), definitionLimits.templateName, errors);
  const optional = (use: PartUse) => (use === PartUse.REQUIRED ? PartUse.OPTIONAL : use);
  const { community } = definition;
  const texts = readTexts(
    body,
    {
      ...definition,
      community: {
        ...community,
        titleEnabled: optional(community.titleEnabled),
        descriptionEnabled: optional(community.descriptionEnabled),
      },
    },
    {},
    errors,
  );
  const values = await validateFieldData({
    write,
    fields: fieldRules(definition).post.filter(({ id }) => definition.fieldById.has(id)),
    hidden: definition.hidden,
    input: body.customData,
    current: before,
    mode: 'create',
    trusted,
    deltaAreaFormat: body.deltaAreaFormat,
    fieldPath: 'customData',
  });
  const stored = { ...values.stored };
  for (const fault of values.errors.list)
    if (fault.code === 'REQUIRED_FIELD') delete stored[String(fault.customFieldId)];
    else errors.push(fault);
  return {
    name,
    // Trailing spaces stay: the author of the post continues after them.
    title: texts.title === null ? null : (body.title ?? '').trimStart(),
    description: texts.descriptionDelta,
    visibility: body.visibility ?? null,
    customData: stored,
  };
}

/**
 * @throws ValidationError with every error; PorticoError NOT_FOUND, FORBIDDEN; CONFLICT at the
 *   maximum number of templates
 */
export async function createPostTemplate(
  scope: Scope,
  communityId: number,
  body: CreatePostTemplateRequest,
): Promise<PostTemplate> {
  return writeTransaction(scope, 'none', async (write) => {
    const definition = await requireEditable(write, communityId);
    const errors = new FieldErrors(write.missing);
    const content = await readContent(write, definition, body, {}, errors);
    errors.throwIfAny();
    const { count, bytes } = await measureTemplates(write.tx, communityId);
    if (count >= definitionLimits.templates) {
      throw tooManyTemplates();
    }
    refuseLongTemplates(bytes, content);
    return answer(write, definition, await insertTemplate(write, communityId, content));
  });
}

/** Returns the error of a template above the maximum. */
export const tooManyTemplates = () =>
  new PorticoError('CONFLICT', {
    message: `A community has at most ${definitionLimits.templates} templates; delete one first.`,
  });

/** @param others bytes of the other templates @param before the template before it is edited */
export function refuseLongTemplates(others: number, content: TemplateContent, before?: TemplateRow): void {
  const bytes = templateBytes(content);
  const grows = !before || bytes > templateBytes(before);
  if (!grows || others + bytes <= definitionLimits.templatesTogether) return;
  throw new PorticoError('CONFLICT', {
    message: `The templates of a community have at most ${definitionLimits.templatesTogether} bytes together; delete one first.`,
  });
}

/**
 * Replaces the content of a template.
 * @throws ValidationError with every error; PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN
 */
export async function editPostTemplate(
  scope: Scope,
  templateId: number,
  { occToken, ...body }: EditPostTemplateRequest,
): Promise<PostTemplate> {
  return writeTransaction(scope, 'none', async (write) => {
    const before = await requireTemplate(write.tx, write.actor, templateId, true);
    const definition = await requireEditable(write, before.communityId);
    if (occToken !== undefined && occToken !== before.version) throw await staleToken(write.tx, before);
    const errors = new FieldErrors(write.missing);
    const content = await readContent(write, definition, body, before.customData, errors);
    errors.throwIfAny();
    const { bytes } = await measureTemplates(write.tx, before.communityId, templateId);
    refuseLongTemplates(bytes, content, before);
    await updateTemplate(write, templateId, content);
    return answer(write, definition, templateId);
  });
}

/** @returns the community of the template @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function deletePostTemplate(scope: Scope, templateId: number): Promise<number> {
  return writeTransaction(scope, 'none', async (write) => {
    const { communityId } = await requireTemplate(write.tx, write.actor, templateId, true);
    requireCommunityEditor(write.actor, communityId);
    await deleteTemplate(write.tx, templateId);
    return communityId;
  });
}

/**
 * Creates a post from a template and the body; the body takes precedence.
 * @param answerOf reads the part of the response about the post, in the same transaction
 * @throws as `createCustomPost`, and PorticoError NOT_FOUND for the template
 */
export async function createPostFromTemplate<T>(
  scope: Scope,
  templateId: number,
  body: CreateCustomPostRequest,
  answerOf: (write: WriteScope, post: CreatedPost) => Promise<T>,
): Promise<T> {
  const template = await requireTemplate(scope.db, scope.actor, templateId);
  const { title, description, visibility, communityId } = template;
  return createOne(
    scope,
    communityId,
    (definition) => ({
      title: title ?? undefined,
      ...(description !== null && { description, descriptionFormat: TextFormat.DELTA }),
      visibility: visibility !== null ? (visibility as NonNullable<CreateCustomPostRequest['visibility']>) : undefined,
      ...body,
      customData: { ...valuesFor(definition, template), ...body.customData },
      type: PostType.CUSTOM,
    }),
    answerOf,
    // Values of the template were checked when it was written, as are values of the source of a
    // copy.
    (definition) => ({ sourceData: valuesFor(definition, template) }),
  );
}
