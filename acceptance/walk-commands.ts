/**
 * Every operation once more, by the command, with its JSON checked like any other answer. A command
 * of each group runs as a separate process.
 */
import { nounOf, type Operation, type OperationId, operations, verbOf } from '@portico/contract';
import { type MethodDomain, methodTable } from '@portico/sdk';
import type { Ran } from '../packages/cli/src/testing/many-commands.ts';
import { assertion, type Json } from './client.ts';
import type { Command } from './portico.ts';
import { faultsOf } from './responses.ts';
import { idsOf, type Walk } from './walk.ts';
import { moveOf } from './walk-moves.ts';
import type { Found } from './walk-reads.ts';
import { nextNumber, webhookOf } from './walk-webhooks.ts';
import { administratorOf } from './walk-writes.ts';

/** The run of a command and its result. */
export interface CommandRun {
  id: OperationId;
  words: string[];
  code: number;
  err: string;
  /** The last request that it sent, as `METHOD path`. */
  sent: string | undefined;
  /** Breaches of the contract in its output. */
  faults: string[];
}

/** The objects that the commands are about. */
interface Things {
  keys: Record<string, string>;
  /** Words by operation; keys that differ from the common ones come first, in the order of the path. */
  words: Partial<Record<OperationId, string[]>>;
}

/** Runs a command for each operation; writes run with `--dry-run`. */
export async function walkCommands(command: Command, walk: Walk, found: Found): Promise<CommandRun[]> {
  const things = await thingsOf(walk, found);
  const groups = Object.entries(methodTable).map(([noun, methods]) =>
    Object.entries<OperationId>(methods).map(([method, id]) => ({ noun: noun as MethodDomain, method, id })),
  );
  const runs: CommandRun[] = [];
  const work = async (waiting: typeof groups, run: (...words: string[]) => Promise<Ran>) => {
    for (const next of waiting.flat()) {
      const words = wordsFor(next, things);
      const { code, out, err } = await run(...words);
      runs.push({
        id: next.id,
        words,
        code,
        err,
        sent: sentBy(err),
        faults: code === 0 ? faultsOf(operations[next.id], answerOf(operations[next.id], out)) : [],
      });
    }
  };
  await Promise.all([
    work(
      groups.map((group) => group.slice(0, 1)),
      (...words) => command.run(...words),
    ),
    work(
      groups.map((group) => group.slice(1)),
      (...words) => command.runShared(...words),
    ),
  ]);
  return runs;
}

function wordsFor(
  { noun, method, id }: { noun: string; method: string; id: OperationId },
  { keys, words }: Things,
): string[] {
  const operation: Operation = operations[id];
  const given = words[id] ?? [];
  const flags = given.findIndex((word) => word.startsWith('--'));
  const own = flags < 0 ? given : given.slice(0, flags);
  const names = Object.keys(operation.pathParams).filter((name) => !/[oO]ccToken$/.test(name));
  return [
    'api',
    nounOf(noun),
    verbOf(method),
    ...(own.length > 0 ? own : names.map((name) => keys[name] ?? `<${name}>`)),
    ...(flags < 0 ? [] : given.slice(flags)),
    ...(operation.kind === 'write' ? ['--dry-run'] : []),
    ...(operation.paging === 'page' ? ['--limit', '3', '--page-size', '2'] : []),
    '--output',
    'json',
    '--verbose',
  ];
}

/** The last line that `--verbose` wrote about a request. */
function sentBy(err: string): string | undefined {
  const [, method, url] = [...err.matchAll(/^> (\S+) (\S+)/gm)].at(-1) ?? [];
  return method && url ? `${method} ${new URL(url).pathname}` : undefined;
}

/** Lists are printed as their rows: restores their place in the answer. */
function answerOf(operation: Operation, out: string): unknown {
  const value: unknown = out === '' ? {} : JSON.parse(out);
  if (!Array.isArray(value)) return value;
  return { [operation.command.rows ?? 'items']: value };
}

async function thingsOf(walk: Walk, found: Found): Promise<Things> {
  const { client, key } = walk;
  const { webhookId, deliveryId } = await webhookOf(walk, found.me);
  const communityId = found.communities.find(({ name }) => name === 'IT Service Desk')?.id as number;
  const list = found.posts.get(communityId) ?? [];
  const all = [...found.posts.values()].flat();
  const having = (posts: readonly Json[], test: (post: Json) => unknown) => String(posts.find(test)?.id);
  const transitions = (post: Json) => (post.capabilities?.workflowPermittedOperations ?? []) as Json[];
  const plain = all.find((post) => transitions(post).some(({ screen }) => !screen)) as Json;
  const asked = having(all, ({ capabilities }) => capabilities?.canRequestAcknowledgements);
  const inScreen = (post: Json) => post.capabilities?.canEditWorkflowScreenData;
  const eventsIn = found.communities.find((one) => one.operationalCapabilities?.createEventPost)?.id as number;
  const { items: events = [] } = await client.posts.list({ communityId: eventsIn, postTypes: [2], pageSize: 1 });
  const catalogId = found.catalogs[0]?.id as number;
  const { items: entries = [] } = await client.catalogs.entries({ catalogId, pageSize: 1 });
  const { versions: [version] = [] } = await client.communities.definitionVersions({ communityId });
  const ofPosts = (found.definitions as Record<number, Json>)[communityId]?.fieldDefinitions as Json[] | undefined;
  const plainField = ofPosts?.find(({ type }) => type === 6);
  const withFile = having(list, (post) => post.attachmentsCount > 0);
  const commented = having(
    all,
    ({ commentsCount, capabilities }) => commentsCount > 0 && capabilities?.canModify && capabilities.canEditLike,
  );
  const { items: files = [] } = await client.attachments.list({ postId: Number(withFile) });
  const { items: comments = [] } = await client.comments.list({ postId: Number(commented) });
  const person = found.users.filter(
    ({ deleted, systemAccount, serviceAccount }) => !deleted && !systemAccount && !serviceAccount,
  )[2] as Json;
  const group = found.groups.find(({ deleted, systemAccount }) => !deleted && !systemAccount) as Json;
  const { items: [{ identityProviderId } = {}] = [] } = await client.identityProviders.list({});
  const { items: [area] = [] } = await client.areas.list({ pageSize: 1 });
  const { items: [businessUnit] = [] } = await client.businessUnits.list({ pageSize: 1 });
  const { id: roleId } = await client.roles.create({ name: 'Of commands', permissions: ['comment'] });
  const event = String(events[0]?.id);
  const { items: [lastImport] = [] } = await client.imports.list({ communityId, pageSize: 1 });
  const importId = String(lastImport?.id);
  const move = moveOf(found, communityId);
  const { templates = [] } = await client.posts.templates({ communityId });
  const templateId = String(templates[0]?.id);
  const communityIds = idsOf(found.communities).join(',');
  const postIds = idsOf(list).slice(0, 9).join(',');
  const text = ['--description', 'Written by the acceptance suite.'];
  const named = { key: 'command', name: 'Command' };
  const file = { version: 1, workspace: named, community: named };
  const communityFile = JSON.stringify({ file });
  await client.communities.saveDraft({ communityId, file });
  return {
    keys: {
      communityId: String(communityId),
      postId: having(list, ({ capabilities }) => capabilities?.canModify),
      userId: String(person.id),
      identityProviderId: String(identityProviderId),
      webhookId: String(webhookId),
      deliveryId: String(deliveryId),
      groupId: String(group.id),
      areaId: String(area?.id),
      roleId: String(roleId),
      businessUnitId: String(businessUnit?.id),
      workspaceId: String(found.workspaceIds[0]),
      catalogId: String(catalogId),
      fieldId: String(found.definitions[communityId]?.fieldDefinitions?.[0]?.id),
      screenFieldId: String(found.definitions[communityId]?.workflowDefinition?.screenFieldMetadatas?.[0]?.id),
      entryId: String(entries[0]?.id),
      attachmentId: String(files[0]?.id),
      commentId: String(comments.find(({ capabilities }) => capabilities?.canEdit)?.id),
      taskId: String(await editableTask(client, found)),
      viewId: String((await client.views.list({ communityId: idsOf(found.communities)[0] as number })).views?.[0]?.id),
      importId,
      templateId,
      clientUid: 'demo-servicedesk-0',
    },
    words: {
      createAccessTokenByServiceAccount: ['--jwt-assertion', assertion(key)],
      createAccessTokenByCredentials: ['--username', 'nobody', '--password', 'of nobody at all'],
      startSession: ['--username', 'nobody', '--password', 'of nobody at all'],
      revokeSession: ['4711'],
      createPersonalToken: ['--name', 'Report', '--access', 'read', '--valid-days', '1'],
      revokePersonalToken: ['4711'],
      startDeviceSignIn: ['--name', 'Laptop'],
      collectDeviceSignIn: ['--device-code', 'unknown'],
      readDeviceSignIn: ['--user-code', 'WDJB-MJHT'],
      confirmDeviceSignIn: ['--user-code', 'WDJB-MJHT'],
      refuseDeviceSignIn: ['--user-code', 'WDJB-MJHT'],
      createAccessTokenByPasskey: ['--credential', '{}'],
      startSessionByPasskey: ['--credential', '{}'],
      startPasskey: ['--password', 'of nobody at all'],
      confirmPasskey: ['--name', 'Key', '--credential', '{}'],
      retryMail: ['4711'],
      discardMail: ['4711'],
      requestAcknowledgements: [asked, '--user-ids', String(found.me.id)],
      withdrawAcknowledgements: [asked],
      searchEverything: ['--text', 'projector'],
      createRole: ['--name', 'Command', '--permissions', 'comment'],
      editRole: ['--name', 'Command', '--permissions', 'comment', '--occ-token', '1'],
      createArea: ['--name', 'Command'],
      editArea: ['--name', 'Command', '--occ-token', String(area?.occToken)],
      createBusinessUnit: ['--name', 'Command'],
      editBusinessUnit: ['--name', 'Command', '--occ-token', String(businessUnit?.occToken)],
      renamePasskey: ['4711', '--name', 'Laptop'],
      editMyProfile: ['--phone', '+39 06 1'],
      removePasskey: ['4711', '--password', 'of nobody at all'],
      inviteUser: [String(administratorOf(found.users))],
      sendPasswordReset: [String(administratorOf(found.users))],
      requestPasswordReset: ['--username', 'nobody'],
      setPasswordByLink: ['--token', 'of-nobody', '--new-password', 'of nobody at all'],
      createAccessTokenByGoogleOAuth2: ['--google-o-auth2-token', 'of-nobody'],
      startTotp: ['--password', 'of nobody at all'],
      confirmTotp: ['--code', '123456'],
      confirmSession: ['--code', '123456'],
      removeTotp: ['--code', '123456'],
      createUser: ['--firstname', 'Ada', '--lastname', 'Command', '--contact-email', 'ada.command@people.example'],
      importUsers: ['--csv', 'firstname,lastname\nAda,Command\n'],
      editUser: ['--lastname', 'Command'],
      editUserCredentials: [
        '--user-credentials-configuration',
        `{"custom": {"username": "command${person.id}", "active": true}}`,
      ],
      createServiceAccount: ['--name', 'Command'],
      getServiceAccountForEdit: [String(found.me.id)],
      editServiceAccount: [String(found.me.id), '--name', 'Command'],
      createServiceAccountKey: [String(found.me.id), '--name', 'Command'],
      revokeUserSession: [String(person.id), '4711'],
      revokeServiceAccountKey: [String(found.me.id), String(key.private_key_id)],
      createIdentityProvider: [
        ...[
          '--key',
          'command',
          '--name',
          'Command',
          '--issuer',
          'https://id.alveria.example',
          '--client-id',
          'portico',
        ],
      ],
      editIdentityProvider: ['--name', 'Command'],
      finishIdentityProviderTest: ['--answer', '?code=none&state=none'],
      createWebhook: [
        ...['--name', 'Command', '--service-account-id', String(found.me.id)],
        ...['--address', 'https://hooks.alveria.example/command'],
      ],
      editWebhook: ['--name', 'Command'],
      replayWebhook: ['--from-number', String(await nextNumber(walk))],
      createGroup: ['--name', 'Command', '--visible'],
      editGroup: ['--name', 'Command'],
      editGroupMembers: [String(group.id), '--add-user-ids', String(found.me.id)],
      editBranding: ['--accent-color', '#0b6e4f'],
      editTenantSettings: ['--access-token-seconds', '3600'],
      createWorkspace: ['--name', 'Command'],
      editWorkspace: ['--name', 'Command'],
      createCommunity: ['--workspace-id', String(found.workspaceIds[0]), '--name', 'Command'],
      editCommunity: ['--name', 'Command'],
      createCommunityWorkflow: ['--title', 'Command', '--states', '[{"name": "Open", "initial": true}]'],
      editCommunityWorkflow: ['--title', 'Command'],
      setTaskState: ['--state', '2'],
      changeUsers: ['--user-ids', String(found.me.id), '--sign-out'],
      leaveUser: ['--account', 'block'],
      reassignTasks: ['--task-ids', String(found.taskIds[0]), '--assignee-user-id', String(found.me.id)],
      editTaskReminders: ['--reminders', '[{"value": 1, "range": 3}]'],
      revokeCalendarFeed: ['4711'],
      listEventGuests: [event],
      createPushSubscription: [
        ...['--endpoint', 'https://push.example.com/send/1', '--auth', 'BTBZMqHH6r4Tts7J_aSIgg', '--p256dh'],
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      ],
      deletePushSubscription: ['4711'],
      markNotifications: ['--until-id', '4711', '--read'],
      editNotificationPreferences: ['--preferences', '[{"kind": 5, "enabled": true}]'],
      markWaiting: ['--items', '[{"kind": 1, "id": 4711}]'],
      createPostTemplate: ['--name', 'Command'],
      editPostTemplate: ['--name', 'Command', '--occ-token', '1'],
      createPostFromTemplate: ['--title', 'Command', ...text],
      startImport: ['--import-id', importId],
      // There is no such upload.
      planCommunityArchive: ['--content-ref', '0'.repeat(64)],
      importCommunityArchive: ['--content-ref', '0'.repeat(64)],
      suggestImportMapping: ['--import-id', importId],
      createSavedView: ['--name', 'Command'],
      editSavedView: ['--name', 'Command'],
      archiveCommunity: ['--archived'],
      archiveWorkspace: ['--archived'],
      moveCommunity: ['--workspace-id', String(found.workspaceIds[0])],
      editCommunityMembers: ['--remove-user-ids', '4711'],
      editMembersEverywhere: ['--remove-user-ids', '4711'],
      planCommunity: ['--data', communityFile],
      previewCommunity: ['--data', communityFile],
      applyCommunity: ['--data', communityFile],
      saveCommunityDraft: ['--data', communityFile],
      createPostField: ['--label', 'Command', '--type', '1'],
      editPostField: ['--label', 'Command'],
      removeField: [String(communityId), String(plainField?.id), '--on-existing', 'keep'],
      changeFieldType: [String(communityId), String(plainField?.id), '--type', '9', '--on-existing', 'clear'],
      cancelDefinitionChange: [String(communityId), '4711'],
      getDefinitionVersion: [String(communityId), String(version?.version)],
      restoreDefinitionVersion: [String(communityId), String(version?.version), '--on-existing', 'keep'],
      createScreenField: ['--label', 'Command', '--type', '1'],
      editScreenField: ['--label', 'Command'],
      createCatalog: ['--name', '{"en": "Command"}'],
      editCatalog: ['--name', '{"en": "Command"}'],
      editCatalogDeleted: ['--deleted'],
      putCatalogEntries: ['--entries', '[{"label": {"en": "Command"}}]'],
      createCatalogEntry: ['--label', '{"en": "Command"}'],
      editCatalogEntry: ['--label', '{"en": "Command"}'],
      editCatalogEntryDeleted: ['--deleted'],
      listCommunities: ['--community-ids', communityIds],
      listPostDefinitions: ['--community-ids', communityIds],
      listCommunityPostsFiltered: ['--where', 'Severity=High', '--order-by', 'Severity'],
      summarisePosts: ['--group-by', 'currentWorkflowState'],
      checkPostVisibility: ['--ids', postIds],
      checkPostVisibilityWithComments: ['--ids', postIds],
      createCustomPost: ['--title', 'Command', ...text, '--field', 'Severity=High', '--field', 'Site=Kobe'],
      editCustomPost: ['--field', 'Severity=Low'],
      patchPost: ['--field', 'Severity=Low'],
      restorePostVersion: ['--version-number', '0'],
      movePost: [
        '--community-id',
        String(move.communityId),
        '--field-mapping',
        JSON.stringify(move.fieldMapping),
        ...(move.stateId === undefined ? [] : ['--state-id', String(move.stateId)]),
      ],
      transitionPosts: [
        '--workflow-operation-id',
        String(transitions(plain).find(({ screen }) => !screen)?.id),
        '--post-ids',
        String(plain.id),
      ],
      patchPosts: ['--post-ids', String(plain.id), '--patch', '{"title": "Command"}'],
      deletePosts: ['--post-ids', String(plain.id)],
      createPosts: ['--posts', '[{"title": "Command"}]'],
      editPostCustomData: ['--field', 'Severity=Low'],
      copyCustomPost: ['--title', 'Command'],
      getEventPostDataForCreate: [String(eventsIn)],
      getEventPostDataForEdit: [event],
      getEventPostDataForCopy: [event],
      createEventPost: [
        String(eventsIn),
        '--title',
        'Command',
        ...text,
        '--event',
        '{"startAt": {"localDatetime": "2031-05-02T09:00:00"}, "timezone": "Asia/Tokyo"}',
      ],
      editEventPost: [event, '--title', 'Command'],
      copyEventPost: [event, '--title', 'Command'],
      editPostEventPartecipate: [event, '--type-id', '1', '--notes', 'Coming.'],
      editPostWatchers: ['--add-watcher-user-ids', String(person.id)],
      createPostComment: ['--comment', 'From the command.'],
      editPostLike: [commented],
      getPostVersion: ['--version-number', '0'],
      comparePostVersions: ['--from-version', '0'],
      editPostFollowing: ['--following', '2'],
      editCommunityFollowing: ['--following', '2'],
      editPostComment: ['--comment', 'Edited by the command.'],
      getPostWorkflowScreenDataForEdit: [having(all, inScreen)],
      executePostWorkflowOperation: [String(plain.id), String(transitions(plain).find(({ screen }) => !screen)?.name)],
      editPostWorkflowScreenData: [having(list, inScreen), '--field', 'Visit on=2031-01-31'],
      createTask: [
        '--title',
        'Command',
        '--assignee-user-id',
        String(found.me.id),
        '--expiration',
        '{"datetime": "2031-05-02T09:00:00", "timezone": "Europe/Rome"}',
      ],
      editTask: ['--title', 'Command'],
      listPostAttachmentsByPostId: [withFile],
      checkAttachmentVisibility: ['--ids', idsOf(files).join(',')],
      editPostAttachments: [withFile, '--remove-attachment-ids', String(files[0]?.id)],
    },
  };
}

async function editableTask(client: Walk['client'], { taskIds }: Found): Promise<number | undefined> {
  const posts = taskIds.slice(0, 40).map(async (taskId) => {
    // The history mentions tasks that are deleted since.
    const task = await client.tasks.get({ taskId }).catch(() => undefined);
    return task?.capabilities?.canModify ? taskId : undefined;
  });
  return (await Promise.all(posts)).find((id) => id !== undefined);
}
