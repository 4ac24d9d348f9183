/** The lists of people and groups that every member reads, and the import of people by administrators. */
import { importedColumns } from '../filters.ts';
import { listLimits, maximumImportedCsv } from '../limits.ts';
import * as t from './fields.ts';

export const peopleTypes = {
  ListPeopleRequest: t.type('Whom to list, and paging.', {
    ...t.pageInputs,
    fullTextFilter: t.text('Words looked for in names and the e-mail address, ignoring case and accents.'),
    communityId: t.int64('Only who has a role in this community.'),
    postId: t.int64('Only who can read this post; of a draft, who could once it is published.'),
    ids: t.ids('Only those with these ids, at most 1,000. Left out or empty, all.', { maxItems: listLimits.items }),
  }),
  ListPeopleResponse: t.page('User', 'A page of people.'),
  ListPeopleGroupsResponse: t.page('Group', 'A page of groups.'),
  ImportUsersRequest: t.type('A file of people who are to be made and invited.', {
    csv: t.required(
      t.text(
        `The file: a header, and a line for each person. Columns, in any order: ${importedColumns.join(', ')}; \`firstname\` and \`lastname\` are needed. Without \`username\` the address is the user name. \`area\` and \`businessUnit\` are names or external ids of units that there are, \`manager\` is the address or the external id of somebody who is there or in the file, \`adminCapabilities\` the administrative rights, separated by spaces. Commas separate the cells, or semicolons where the header has no comma.`,
        { maxLength: maximumImportedCsv },
      ),
    ),
    invite: t.flag(
      'Whether those who are made, and have an address, are sent a link by which they choose a password. Default true.',
    ),
  }),
  ImportedUser: t.type('What became of one line of a file of people.', {
    line: t.count('Line of the file on which the row begins; the header is 1.'),
    userId: t.int64('Id of the user; in a dry run the one of a new user is void.'),
    outcome: t.text(
      '`created`, or `present`: a user with this external id, or else this address, was there and was left as they are.',
    ),
    contactEmail: t.text('E-mail address in the file.'),
    username: t.text('User name in the file, or the address that stands for it.'),
    invited: t.flag('Whether the person is sent a link.'),
  }),
  ImportUsersResponse: t.type('What became of a file of people.', {
    rows: t.list('ImportedUser', 'A report for each line, in the order of the file.'),
    createdCount: t.count('How many people were made.'),
    presentCount: t.count('How many were there already.'),
    expiryTimestamp: t.time('Until when the links work.'),
    sentEmailNotify: t.flag('False when no mail goes out: nobody is invited, or the installation has no mail server.'),
  }),
};
