/** A community with a workflow that a group and managers run. */
import { createTestWorld, type TestPortal, type TestWorld } from '../../../../test/support/test-world.ts';

export function reviewWorld(portal: TestPortal): Promise<TestWorld> {
  return createTestWorld(portal, {
    community: { workspaceMemberRole: null },
    workflow: ({ groupId }) => ({
      title: 'Review',
      states: [{ name: 'Open', initial: true }, { name: 'Checked' }, { name: 'Done', terminal: true }],
      transitions: [
        { name: 'Check', from: 'Open', to: 'Checked', run: { groupIds: [groupId] } },
        { name: 'Close', from: 'Checked', to: 'Done', run: { roles: [1] } },
      ],
    }),
  });
}
