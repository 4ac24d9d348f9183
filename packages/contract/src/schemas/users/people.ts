/** The lists of people and groups that every member reads, and the import of people by administrators. */
import { importedColumns } from '../../filters.ts';
import { listLimits, maximumImportedCsv, userChangeLimits } from '../../limits.ts';
import * as t from '../fields.ts';

export const peopleTypes = {
  ListPeopleRequest: t.type('Filters and paging for the list of people.', {
    ...t.pageInputs,
    fullTextFilter: t.text('Words looked for in names and the e-mail address, ignoring case and accents.'),
    communityId: t.int64('Only people with a role in this community.'),
    postId: t.int64('Only readers of this post; for a draft, its readers after its publication.'),
    ids: t.ids('Only people with these ids, at most 1,000. If omitted or empty, all.', { maxItems: listLimits.items }),
  }),
  ListPeopleResponse: t.page('User', 'A page of people.'),
  ListPeopleGroupsResponse: t.page('Group', 'A page of groups.'),
  UserGroup: t.type('A group of a user.', {
    groupId: t.int64('Id of the group.'),
    name: t.text('Name of the group.'),
  }),
  ImportUsersRequest: t.type('A file of people to create and invite.', {
    csv: t.required(
      t.text(
        'The file: a header, and a line for each person. Columns, in any order: ' +
          `${importedColumns.join(', ')}; \`firstname\` and \`lastname\` are required. Without ` +
          '`username` the address is the user name. `area` and `businessUnit` are names or ' +
          'external ids of existing units, `manager` is the address or the external id of a ' +
          'person who exists or is in the file, `adminCapabilities` the administrative rights, ' +
          'separated by spaces. Commas separate the cells, or semicolons if the header has no ' +
          'comma.',
        { maxLength: maximumImportedCsv },
      ),
      'csv is required: a file with a header.',
    ),
    invite: t.flag(
      'Whether created people with an address are sent a link by which they choose a password. Default true.',
    ),
  }),
  ImportedUser: t.type('Outcome of a line of a file of people.', {
    line: t.count('Line of the file on which the row begins; the header is 1.'),
    userId: t.int64('Id of the user; in a dry run the id of a new user is void.'),
    outcome: t.text(
      '`created`, or `present`: a user with this external id, or else this address, exists and stays unchanged.',
    ),
    contactEmail: t.text('E-mail address in the file.'),
    username: t.text('User name in the file, or the address that stands for it.'),
    invited: t.flag('Whether the person is sent a link.'),
  }),
  ImportUsersResponse: t.type('Outcome of a file of people.', {
    rows: t.list('ImportedUser', 'A report for each line, in the order of the file.'),
    createdCount: t.count('Number of created people.'),
    presentCount: t.count('Number of people who existed already.'),
    expiryTimestamp: t.time('Expiry of the links.'),
    sentEmailNotify: t.flag('False when no mail goes out: nobody is invited, or the installation has no mail server.'),
  }),
  ChangeUsersRequest: t.type('Accounts, and one change of each. At least one change is required.', {
    userIds: t.required(
      t.ids(`Ids of the users, at most ${userChangeLimits.users}, each named once.`, {
        minItems: 1,
        maxItems: userChangeLimits.users,
      }),
    ),
    blocked: t.flag('True blocks the accounts, false unblocks them. If omitted, their state stays.'),
    signOut: t.flag('True ends all sessions and access tokens of the accounts. Default false.', { default: false }),
    addGroupIds: t.ids(`Groups that the users join, at most ${userChangeLimits.groups}.`, {
      maxItems: userChangeLimits.groups,
    }),
    deleteGroupIds: t.ids(
      `Groups that the users leave, at most ${userChangeLimits.groups}. Groups of \`addGroupIds\` are refused.`,
      { maxItems: userChangeLimits.groups },
    ),
  }),
  ChangeUsersResponse: t.type('Outcome of each account, in the order of the request.', {
    items: t.list('ChangedUser', 'An outcome for each account.'),
    okCount: t.count('Accounts that were changed.'),
    unchangedCount: t.count('Accounts that were already as they were to be.'),
    errorCount: t.count('Accounts that were refused.'),
  }),
  ChangedUser: t.type('Outcome of an account.', {
    userId: t.int64('Id of the user.'),
    outcome: t.word(
      ['OK', 'UNCHANGED', 'ERROR'],
      'OK: changed. UNCHANGED: it was so already, nothing was written. ERROR: refused as a whole, see `error`.',
    ),
    nextOccToken: t.token('Current token of the form of the user. Absent for refused accounts.'),
    error: t.ref('BulkPostError', 'Reason of the refusal, like the error of the write of this account alone.'),
  }),
};
