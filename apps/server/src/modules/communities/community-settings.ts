/** Switches of a community, as the interface names them. */
import { type GetCommunityForEditResponse, longestVersionRetention, WorkspaceMemberRole } from '@portico/contract';
import type { FieldErrors } from '../../kernel/errors.ts';
import type { CommunityHead, CommunitySettings } from './definition-types.ts';

/** Switches with the same name in the interface and in the rest of the server. */
const SAME_NAMES = [
  'draft',
  'titleEnabled',
  'descriptionEnabled',
  'watchersEnabled',
  'watchersVisibleInPreview',
  'manualAuthorEnabled',
  'attachmentEnabled',
  'likeEnabled',
  'offlineEnabled',
  'customFieldsEnabled',
  'acknowledgeTaskEnabled',
  'eventsEnabled',
  'initStateChoiceEnabled',
  'commentsHiddenFromReaders',
  'versionRetentionDays',
] as const satisfies readonly (keyof CommunitySettings)[];

type SameName = (typeof SAME_NAMES)[number];

/** The switches as forms show them. */
type SettingsForm = Pick<
  GetCommunityForEditResponse,
  SameName | 'workspaceMemberRoleId' | 'hashTagEnabled' | 'defaultPostVisibility' | 'attachmentMaxSize'
>;

export function presentSettings(community: CommunityHead): SettingsForm {
  const { workspaceMemberRole, hashtagEnabled, defaultVisibility, attachmentMaxSize } = community;
  return {
    ...(Object.fromEntries(SAME_NAMES.map((name) => [name, community[name]])) as Pick<CommunityHead, SameName>),
    // The role of workspace administrators gives no role in communities.
    workspaceMemberRoleId: workspaceMemberRole ?? WorkspaceMemberRole.NONE,
    hashTagEnabled: hashtagEnabled,
    defaultPostVisibility: defaultVisibility,
    ...(attachmentMaxSize !== null && { attachmentMaxSize }),
  };
}

/**
 * @returns the switches in the form, and the attachment limit, which is cleared if the form has
 * none
 */
export function readSettings(form: SettingsForm, errors: FieldErrors): Partial<CommunitySettings> {
  const { workspaceMemberRoleId, hashTagEnabled, defaultPostVisibility, attachmentMaxSize } = form;
  if (attachmentMaxSize !== undefined && attachmentMaxSize < 1)
    errors.add('attachmentMaxSize', 'INVALID_VALUE', 'At least 1 byte.');
  const { versionRetentionDays: days } = form;
  if (days !== undefined && (days < 0 || days > longestVersionRetention))
    errors.add('versionRetentionDays', 'INVALID_VALUE', `0 to ${longestVersionRetention} days.`, [
      0,
      longestVersionRetention,
    ]);
  const named = SAME_NAMES.filter((name) => form[name] !== undefined).map((name) => [name, form[name]]);
  return {
    ...Object.fromEntries(named),
    ...(workspaceMemberRoleId !== undefined && {
      workspaceMemberRole: workspaceMemberRoleId === WorkspaceMemberRole.NONE ? null : workspaceMemberRoleId,
    }),
    ...(hashTagEnabled !== undefined && { hashtagEnabled: hashTagEnabled }),
    ...(defaultPostVisibility !== undefined && { defaultVisibility: defaultPostVisibility }),
    attachmentMaxSize: attachmentMaxSize ?? null,
  };
}
