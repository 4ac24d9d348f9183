/** Two examples for each operation, without `portico <noun> <verb>`; a test parses every one of them. */
import type { OperationId } from '@portico/contract';

export const examples: Readonly<Record<OperationId, readonly [string, string]>> = {
  currentUserData: ['', '--output json --fields userData.id,userData.contactEmail'],
  getCurrentUserProfileInfo: ['', '--fields firstName,lastName,timezone.zoneId'],
  createAccessTokenByServiceAccount: [
    '--jwt-assertion @assertion.txt --output json',
    '--url portal.acme.example --jwt-assertion @assertion.txt --fields accessToken',
  ],
  createAccessTokenByGoogleOAuth2: [
    '--google-o-auth2-token @token.txt --output json',
    '--url portal.acme.example --google-o-auth2-token @token.txt --fields accessToken',
  ],

  listSystemUsers: [
    '--full-text-filter rossi --all',
    '--status-filter 1 --order-type-id lastAccessTimestamp --order-desc --limit 20 --output csv',
  ],
  getUserForEdit: ['17', '17 --output yaml'],
  createUser: ['--firstname Ada --lastname Byron --contact-email ada@acme.example', '--data @user.json --dry-run'],
  editUser: [
    '17 --contact-email ada.byron@acme.example',
    '17 --firstname Ada --lastname Byron --dry-run --output json',
  ],
  deleteUser: ['17', '17 --yes'],
  blockUser: ['17', '17 --yes'],
  unblockUser: ['17', '17 --output json'],
  signOutUser: ['17', '17 --yes'],
  getUserCredentialsForEdit: ['17', '17 --output json'],
  editUserCredentials: [
    `17 --user-credentials-configuration '{"google": {"googleAccountId": "ada@acme.example", "enabled": true}}'`,
    '17 --user-credentials-configuration @credentials.json --dry-run',
  ],

  listSystemGroups: ['--all --fields id,name,membersCount', '--full-text-filter sales --count'],
  listGroupsMembers: ['5 --all', '5 --output csv --fields id,contactEmail'],
  getGroupForEdit: ['5', '5 --output json --fields occToken,members'],
  createGroup: ['--name Sales --visible --member-ids 17,18', '--name "Night shift" --external-id shift-n --dry-run'],
  editGroup: ['5 --name "Sales and support"', '5 --member-ids 17,18,19'],
  deleteGroup: ['5', '5 --yes --dry-run'],
  editGroupMembers: ['5 --add-user-ids 17,18', '5 --delete-user-ids 19 --dry-run'],

  getWorkspaceForEdit: ['1', '1 --output yaml'],
  editWorkspace: ['1 --add-user-ids 17', '1 --name "Research and development" --dry-run'],

  getPostDefinitionCatalogs: ['', '--load-entries --output json'],
  getCatalogForEdit: ['3', '3 --output json'],
  createCatalog: [
    `--name '{"en": "Suppliers", "it": "Fornitori"}'`,
    `--name '{"en": "Rooms"}' --parent-id 3 --dry-run`,
  ],
  editCatalog: [`3 --name '{"en": "Vendors"}'`, '3 --deleted --dry-run'],
  editCatalogDeleted: ['3 --deleted', '3 --no-deleted'],
  listPostDefinitionCatalogEntries: ['3 --all', '3 --label kobe --output ndjson'],
  getCatalogEntryForEdit: ['3 41', '3 41 --output json'],
  createCatalogEntry: [
    `3 --label '{"en": "Kobe"}' --external-id kobe`,
    `3 --label '{"en": "Hall"}' --parent-ids 12 --dry-run`,
  ],
  editCatalogEntry: [`3 41 --label '{"en": "Kobe (new)"}'`, '3 41 --external-id kobe-2'],
  editCatalogEntryDeleted: ['3 41 --deleted', '3 41 --no-deleted'],

  listHashtags: ['2 --all', '2 --name urg --include-deleted --output json'],

  getCommunitiesByViewPostCapabilityLevel: ['', '--view-post-capability-level PRIVATE --fields id,name'],
  getCanCreatePostCommunities: ['', '--output json --fields id,name,operationalCapabilities.createPost'],
  getCommunityDetails: ['2', '2 --output yaml'],
  listCommunities: ['--community-ids 2,3', '--community-ids 2,3 --output csv --fields id,name,membersCount'],
  getPostDefinition: ['2 --output yaml', '2 --output json --fields fieldDefinitions.id,fieldDefinitions.label'],
  listPostDefinitions: ['--community-ids 2,3 --output json', '--community-ids 2 --output yaml'],

  listCommunityPostsFiltered: [
    `2 --where 'Status=Draft' --where 'Due date=2026-01-01..2026-06-30' --all --output csv`,
    '2 --title pump --state "In progress" --order-by postCreationTimestamp --limit 10',
  ],
  listCommunityPosts: ['2 --title pump', '2 --contains-text leak --count'],
  getPostDetailById: ['4711', '4711 --output json --fields id,title,currentWorkflowState.name'],
  getPostDetailByClientUid: ['erp-2026-0017', 'erp-2026-0017 --output yaml'],
  getPostCapabilities: [
    '4711',
    '4711 --output json --fields workflowPermittedOperations.id,workflowPermittedOperations.name',
  ],
  checkPostVisibility: ['--ids 4711,4712', '--ids 4711 --output json'],
  checkPostVisibilityWithComments: ['--ids 4711,4712', '--ids 4711 --output ndjson'],
  listPostHistoryEvents: ['4711 --all', '4711 --no-retrieve-workflow-events --output json'],
  getCustomPostDataForCreate: ['2', '2 --output json'],
  getCustomPostDataForEdit: ['4711 --output yaml', '4711 --no-load-attachments --output json'],
  getCustomPostDataForCopy: ['4711 --output yaml', '4711 --no-load-attachments --output json'],
  createCustomPost: [
    `2 --title "Pump leaks" --description "Under the seal." --field Severity=High --field 'Due date=2026-12-31' --attach photo.jpg`,
    '2 --data @post.json --client-uid erp-2026-0017 --dry-run',
  ],
  editCustomPost: [
    '4711 --title "Pump leaks again"',
    '4711 --field Severity=Low --field Sites=Kobe --field Sites=Lecco --dry-run',
  ],
  editPostCustomData: ['4711 --field Severity=Low', `4711 --field 'Due date=' --dry-run`],
  copyCustomPost: ['4711 --title "Copy of the report"', '4711 --field Severity=Low --dry-run'],
  getEventPostDataForCreate: ['2', '2 --output json'],
  getEventPostDataForEdit: ['4720 --output yaml', '4720 --no-load-attachments --output json'],
  getEventPostDataForCopy: ['4720 --output yaml', '4720 --no-load-attachments --output json'],
  createEventPost: [
    `2 --title "Open day" --description "For everyone." --event '{"startAt": {"localDatetime": "2026-12-05T09:00:00"}, "timezone": "Europe/Rome"}'`,
    '2 --data @event.json --dry-run',
  ],
  editEventPost: ['4720 --title "Open day, moved"', '4720 --event @event.json --dry-run'],
  copyEventPost: ['4720 --title "Open day 2027"', '4720 --event @event.json --dry-run'],
  editPostEventPartecipate: ['4720 --type-id 1', '4720 --type-id 2 --notes "After lunch"'],
  editPostWatchers: ['4711 --add-watcher-user-ids 17,18', '4711 --remove-watcher-user-ids 17 --dry-run'],
  markPostAsErasable: ['4711', '4711 --yes'],
  deletePost: ['4711', '4711 --yes --dry-run'],

  listPostComments: ['4711 --all', '4711 --output ndjson --fields id,commentPlainText,creatorUser.lastName'],
  createPostComment: ['4711 --comment "The seal is on order."', '4711 --comment "See the photo." --attach seal.jpg'],

  getPostWorkflowScreenDataForEdit: ['4711 --output yaml', '4711 --workflow-operation-id 31 --output json'],
  executePostWorkflowOperation: ['4711 "Start work"', '4711 31 --field Note="On my way" --dry-run'],
  editPostWorkflowScreenData: ['4711 --field Note="Waiting for the part"', `4711 --field 'Due date=' --dry-run`],

  getTaskDetailById: ['88', '88 --output json --fields title,state,assigneeUser.lastName'],
  createTask: [
    `4711 --title "Order a seal" --assignee-user-id 17 --expiration '{"datetime": "2026-12-31T18:00:00", "timezone": "Europe/Rome"}'`,
    '4711 --data @task.json --attach seal.pdf --dry-run',
  ],
  editTask: ['88 --title "Order two seals"', '88 --assignee-user-id 18 --priority 3 --dry-run'],
  deleteTask: ['88', '88 --yes'],

  listPostAttachmentsByPostId: ['4711 --all', '4711 --mime-type-category multimedia --count'],
  getAttachmentDetailById: ['512', '512 --version 1 --output json'],
  checkAttachmentVisibility: ['--ids 512,513', '--ids 512 --output json'],
  editPostAttachments: ['4711 --attach report.pdf --attach photo.jpg', '4711 --remove-attachment-ids 512 --dry-run'],
  uploadNewFile: ['--output json', '--dry-run --output json'],

  globalPostsStream: ['--output json', '--sync-token @token.txt --output ndjson'],
};
