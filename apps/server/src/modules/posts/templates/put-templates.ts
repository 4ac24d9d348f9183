/** Creates and edits templates of a definition that the same transaction may have changed. */
import { type CreatePostTemplateRequest, definitionLimits } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, notFound, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { loadDefinition, refuseArchived, requireCommunityEditor } from '../../communities/index.ts';
import { findTemplate, insertTemplate, measureTemplates, updateTemplate } from './templates.repository.ts';
import { readContent, refuseLongTemplates, tooManyTemplates } from './write-templates.ts';

/** A template to create, or to edit. */
interface GivenTemplate {
  readonly id?: number;
  readonly body: CreatePostTemplateRequest;
  /** Place of the template in the request. */
  readonly path: string;
}

/**
 * Creates and edits templates. Values of read-only and hidden fields are accepted: a manager sets
 * what authors take over.
 * @throws ValidationError with the errors of the first template that has any, below its path;
 * PorticoError NOT_FOUND, FORBIDDEN; CONFLICT at the maximum of templates or of their texts
 */
export async function putPostTemplates(
  scope: Scope,
  communityId: number,
  given: readonly GivenTemplate[],
): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    const definition = await loadDefinition(write.tx, communityId);
    if (!definition) throw notFound();
    refuseArchived(definition.community);
    for (const { id, body, path } of given) {
      const before = id === undefined ? undefined : await findTemplate(write.tx, id, true);
      const errors = new FieldErrors();
      const content = await readContent(write, definition, body, before?.customData ?? {}, errors, true);
      if (errors.length > 0)
        throw new ValidationError(errors.list.map((fault) => ({ ...fault, field: `${path}.${fault.field}` })));
      const { count, bytes } = await measureTemplates(write.tx, communityId, id);
      if (!before && count >= definitionLimits.templates) throw tooManyTemplates();
      refuseLongTemplates(bytes, content, before);
      if (before) await updateTemplate(write, before.id, content);
      else await insertTemplate(write, communityId, content);
    }
  });
}
