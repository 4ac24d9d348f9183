/** Texts about the audit log. */
import { usePageTexts } from '../../texts/index.ts';
import { type Count, english } from '../../texts/plurals.ts';

export const en = {
  empty: 'No entry has these properties.',
  from: 'From',
  to: 'Until',
  action: 'Action',
  everyAction: 'Every action',
  actions: {
    created: 'Created',
    modified: 'Changed',
    deleted: 'Deleted',
    signedIn: 'Signed in',
    signInFailed: 'Sign-in failed',
    exported: 'Exported',
    tested: 'Tried',
  },
  kind: 'Kind of object',
  everyKind: 'Every kind',
  object: 'Object',
  objectId: 'Id of the object',
  actor: 'Account',
  anybody: 'Anybody',
  when: 'Time',
  changes: 'Changes',
  showChanges: (count: Count) => english(count, { one: '1 field', other: `${count} fields` }),
  fields: {
    adminCapabilities: 'Administrative rights',
    roleInAllCommunities: 'Role in every community',
    roles: 'Roles',
    members: 'Members',
    permissions: 'Permissions',
  },
  before: 'Before',
  after: 'After',
  operation: 'Operation',
  address: 'Address',
  operator: (account: string) => `by the operator ${account}`,
  times: (count: string) => `${count} times`,
  oldestFirst: 'Oldest first',
  clear: 'Clear filters',
  download: 'Download as CSV',
  notDownloaded: 'The log was not downloaded.',
  verify: 'Verify the log',
  verifying: (count: string) => `${count} entries verified so far …`,
  whole: (count: Count, waiting: string) =>
    `The log is whole: ${english(count, { one: '1 entry', other: `${count} entries` })} verified, ${waiting} not chained yet.`,
  fault: (problem: string) => `The log has a fault: ${problem}`,
  notVerified: 'The log was not verified.',
};

export const useAuditTexts = () => usePageTexts('adminAudit', en);
