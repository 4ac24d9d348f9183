/**
 * Creates, edits and deletes communities (operations createCommunity, editCommunity,
 * deleteCommunity).
 */
import {
  type CreateCommunityRequest,
  type CreateCommunityResponse,
  type EditCommunityRequest,
  type EditCommunityResponse,
  RoleId,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, notFound, PorticoError, ValidationError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { optionalText } from '../../kernel/text-input.ts';
import { claimPicture } from '../files/index.ts';
import { requireCommunityEditor, requireDefinitionRight } from './communities.policy.ts';
import {
  deleteCommunityRow,
  nameColumns,
  readCommunityHead,
  refuseStaleCommunity,
  settingColumns,
  updateCommunityRow,
  workspaceExists,
} from './community-rows.ts';
import { readSettings } from './community-settings.ts';
import { checkColor, insertCommunity } from './create-community.ts';
import { checkLabel } from './definition-input.ts';
import { writeRoles } from './set-community-roles.ts';

/** Maximum length of a description, in code points. */
const MAX_DESCRIPTION = 10_000;
/** Maximum length of an identifier of another system, in code points. */
const MAX_EXTERNAL_ID = 255;

/**
 * Creates a community with its creator as the manager (operation createCommunity).
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace; ValidationError
 */
export async function createManagedCommunity(
  scope: Scope,
  form: CreateCommunityRequest,
): Promise<CreateCommunityResponse> {
  return writeTransaction(scope, 'both', async (write) => {
    requireDefinitionRight(write.actor);
    const errors = new FieldErrors(write.missing);
    const texts = readTexts(form, errors);
    const settings = readSettings(form, errors);
    const { workspaceId } = form;
    if (workspaceId !== undefined && !(await workspaceExists(write.tx, workspaceId)))
      errors.add('workspaceId', 'UNKNOWN_REFERENCE', 'There is no such workspace.');
    const coverContentRef = await readCover(write, form.newCoverImageContentRef, null, errors);
    if (errors.length > 0 || workspaceId === undefined) throw new ValidationError(errors.list);
    const communityId = await insertCommunity(write, { ...texts, ...settings, workspaceId, coverContentRef });
    await writeRoles(write, communityId, [{ principal: write.actor.userId, role: RoleId.MANAGER }]);
    return { communityId, nextOccToken: 1 };
  });
}

/**
 * Edits a community (operation editCommunity). Omitted texts, colour and limit are cleared; omitted
 * switches and an omitted cover keep their value.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN with author and time of the last
 * change; ValidationError
 */
export async function editCommunity(
  scope: Scope,
  communityId: number,
  form: EditCommunityRequest,
): Promise<EditCommunityResponse> {
  return writeTransaction(scope, 'both', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    const before = await readCommunityHead(write.tx, communityId);
    if (!before) throw notFound();
    const { occToken } = form;
    if (occToken !== undefined && occToken !== before.etag) await refuseStaleCommunity(write.tx, communityId);
    const errors = new FieldErrors(write.missing);
    const { name, description, colorCode, externalId } = readTexts(form, errors);
    const settings = readSettings(form, errors);
    const kept = form.removeCoverImage === true ? null : before.coverContentRef;
    const cover = await readCover(write, form.newCoverImageContentRef, kept, errors);
    errors.throwIfAny();
    const columns = { description, color_code: colorCode, external_id: externalId, cover_content_ref: cover };
    await updateCommunityRow(write, communityId, { ...nameColumns(name), ...columns, ...settingColumns(settings) });
    return { nextOccToken: before.etag + 1 };
  });
}

/**
 * Deletes a community without posts (operation deleteCommunity), with its definition and the roles
 * in it. A workflow that other communities share stays.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace, NOT_FOUND, CONFLICT while
 * it holds posts
 */
export async function deleteCommunity(scope: Scope, communityId: number): Promise<void> {
  await writeTransaction(scope, 'both', async (write) => {
    requireDefinitionRight(write.actor);
    if (!(await readCommunityHead(write.tx, communityId, true))) throw notFound();
    if (!(await deleteCommunityRow(write, communityId))) {
      throw new PorticoError('CONFLICT', {
        message:
          'The community holds posts; delete them first. Deleted posts count until the portal removes them for good.',
      });
    }
  });
}

interface Texts {
  name: string;
  description: string | null;
  colorCode: string | null;
  externalId: string | null;
}

function readTexts(form: CreateCommunityRequest | EditCommunityRequest, errors: FieldErrors): Texts {
  const colorCode = form.colorCode || null;
  if (colorCode !== null) checkColor('colorCode', colorCode, errors);
  return {
    name: checkLabel('name', form.name ?? '', errors),
    description: optionalText('description', form.description, MAX_DESCRIPTION, errors),
    colorCode,
    externalId: optionalText('externalId', form.externalId, MAX_EXTERNAL_ID, errors),
  };
}

/** @returns the cover of the community after the edit */
async function readCover(
  write: WriteScope,
  contentRef: string | undefined,
  kept: string | null,
  errors: FieldErrors,
): Promise<string | null> {
  if (!contentRef || contentRef === kept) return kept;
  if (await claimPicture(write.tx, contentRef, write.actor.userId, write.now)) return contentRef;
  errors.add('newCoverImageContentRef', 'CONTENT_REF_INVALID');
  return kept;
}
