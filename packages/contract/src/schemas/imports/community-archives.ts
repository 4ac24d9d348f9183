/** Archives of communities. */
import { communityArchiveLimits } from '../../archives.ts';
import { importLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const MOST_KEY = 255;

const target: t.Fields = {
  contentRef: t.required(t.upload('The archive: an unused upload of the caller.')),
  name: t.name('Name of the new community. Default: that of the archive.', { maxLength: MOST_KEY }),
  key: t.name('Key of the new community, which no other has. Default: that of the archive.', { maxLength: MOST_KEY }),
  workspaceKey: t.name('Key of the workspace of the community. Default: that of the archive, created if missing.', {
    maxLength: MOST_KEY,
  }),
};

export const communityArchiveTypes = {
  PlanCommunityArchiveRequest: t.type('An archive, and the place of the new community.', target),
  PlanCommunityArchiveResponse: t.type('Content of an archive, and effects of its import.', {
    portal: t.text('Name of the portal that exported it, as the archive states it.'),
    exportTimestamp: t.time('Time of the export, as the archive states it.'),
    name: t.text('Name of the new community.'),
    key: t.text('Key of the new community.'),
    workspaceName: t.text('Name of its workspace; absent for an existing one.'),
    workspaceKey: t.text('Key of its workspace.'),
    postsCount: t.count('Posts.'),
    commentsCount: t.count('Comments.'),
    eventsCount: t.count('Changes in the histories of posts.'),
    filesCount: t.count('Files.'),
    filesSize: t.count('Bytes of the files.'),
    peopleCount: t.count('People whom the posts name.'),
    people: t.list(
      'ArchivedPerson',
      `People in the order of the archive; at most ${communityArchiveLimits.previewedPeople}.`,
    ),
    matchedCount: t.count('People who are matched with a user.'),
    changes: t.list('CommunityPlanChange', 'What the definition creates and changes here, as in a plan.'),
    accessChanges: t.list('AccessChange', 'People who gain or lose rights by it, as in a plan.'),
    planToken: t.text('Token of the definition for the import.'),
  }),
  ArchivedPerson: t.type('A person of an archive.', {
    key: t.text('Key of the person in the archive.'),
    firstName: t.text('First name.'),
    lastName: t.text('Last name.'),
    email: t.text('Address.'),
    userName: t.text('User name.'),
    user: t.ref('User', 'User with this address or user name; absent without one.'),
    matchedBy: t.word(['email', 'userName'], 'Reason of the match.'),
  }),
  ImportCommunityArchiveRequest: t.type('An archive, the place of the new community, and its people.', {
    ...target,
    fileName: t.text('Name of the archive in the list of imports.', { maxLength: importLimits.fileName }),
    people: t.list(
      'ArchivedPersonChoice',
      'Users in place of the matched ones of the plan; omitted people are as in the plan.',
      { maxItems: communityArchiveLimits.people },
    ),
    planToken: t.text('Token of a plan: the definition is applied exactly as planned.', { maxLength: MOST_KEY }),
  }),
  ArchivedPersonChoice: t.type('User whom a person of an archive becomes.', {
    key: t.required(t.text('Key of the person in the archive.', { maxLength: MOST_KEY })),
    userId: t.int64('The user. Omit it to keep the person as an imported author.'),
  }),
};
