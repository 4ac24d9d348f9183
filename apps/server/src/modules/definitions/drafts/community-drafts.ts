/**
 * Drafts of the definition of a community (operations getCommunityDraft, saveCommunityDraft,
 * deleteCommunityDraft). A draft is a community file that is being edited.
 */
import type {
  GetCommunityDraftResponse,
  SaveCommunityDraftRequest,
  SaveCommunityDraftResponse,
} from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import { readCommunityHead, requireCommunityEditor } from '../../communities/index.ts';
import { type DraftRow, deleteDraftRow, readDraft, writeDraftRow } from './drafts.repository.ts';

const told = ({ version, savedById, savedByName, savedAt }: DraftRow) => ({
  occToken: version,
  savedById,
  savedByName,
  savedAt,
});

/** @throws PorticoError FORBIDDEN; NOT_FOUND without a draft */
export async function getCommunityDraft(scope: Scope, communityId: number): Promise<GetCommunityDraftResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const draft = await readDraft(scope.db, communityId);
  if (!draft) throw notFound();
  return { file: draft.file, ...told(draft) };
}

/**
 * Saves the draft of a community, in place of the one with the token of the request.
 * @throws PorticoError FORBIDDEN, NOT_FOUND; CONFLICT_STALE_TOKEN with author and time of the
 * present draft; ValidationError
 */
export async function saveCommunityDraft(
  scope: Scope,
  communityId: number,
  { file, occToken }: SaveCommunityDraftRequest,
): Promise<SaveCommunityDraftResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    if (!(await readCommunityHead(write.tx, communityId))) throw notFound();
    requireFields(write);
    if (!(await writeDraftRow(write, communityId, occToken, file!))) {
      const present = await readDraft(write.tx, communityId);
      throw await staleToken(write.tx, {
        version: present?.version ?? 0,
        modifierId: present?.savedById ?? write.actor.userId,
        modifiedAt: present?.savedAt ?? write.now,
      });
    }
    return told((await readDraft(write.tx, communityId))!);
  });
}

/** @throws PorticoError FORBIDDEN; NOT_FOUND without a draft */
export async function deleteCommunityDraft(scope: Scope, communityId: number): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    if (!(await deleteDraftRow(write, communityId))) throw notFound();
  });
}
