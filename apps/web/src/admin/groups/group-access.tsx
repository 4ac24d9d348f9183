import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty, Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useRights } from '../../shared-queries.ts';
import { useFormats } from '../../texts/index.ts';
import { useCommunitiesTexts } from '../communities/texts.ts';
import { useRoleLabel } from '../roles/use-roles.ts';
import { type AdminColumn, AdminTable, Facts } from '../screen.tsx';
import { useAdminGroupTexts } from './texts.ts';

type Access = Output<'getGroupAccess'>;
type Role = NonNullable<Access['roles']>[number];
type Community = NonNullable<Access['communities']>[number];
type Step = NonNullable<Access['workflowSteps']>[number];

/** Elements of each list that the interface returns. */
const LISTED = 1_000;

/** The roles that a group gives, where these apply, and the workflows that name it. */
export function GroupAccess({ groupId }: { groupId: number }) {
  const words = useAdminGroupTexts();
  const access = useQuery({
    queryKey: ['admin', 'group-access', groupId],
    queryFn: () => portal.groups.access({ groupId }),
  });
  return (
    <section aria-label={words.access}>
      <h2>{words.access}</h2>
      <Loaded query={access}>{(found) => <Found access={found} />}</Loaded>
    </section>
  );
}

function Found({ access: { roles = [], communities = [], workflowSteps = [] } }: { access: Access }) {
  const words = useAdminGroupTexts();
  const formats = useFormats();
  if (roles.length + communities.length + workflowSteps.length === 0)
    return (
      <Empty>
        <p>{words.noAccess}</p>
      </Empty>
    );
  return (
    <>
      <WideRoles roles={roles} />
      <Communities communities={communities} />
      <Steps steps={workflowSteps} />
      {[roles, communities, workflowSteps].some(({ length }) => length >= LISTED) && (
        <p className="muted">{words.onlyFirst(formats.number(LISTED))}</p>
      )}
    </>
  );
}

/** Roles and memberships that concern several communities, as they were given. */
function WideRoles({ roles }: { roles: readonly Role[] }) {
  const words = useAdminGroupTexts();
  const roleLabel = useRoleLabel();
  const wide = Map.groupBy(
    roles.filter(({ communityId }) => communityId === undefined),
    ({ workspaceId = 0 }) => workspaceId,
  );
  if (wide.size === 0) return null;
  return (
    <Facts
      facts={[...wide.values()].map((given) => [
        given[0]?.workspaceName === undefined ? words.everywhere : words.inWorkspace(given[0].workspaceName),
        given
          .map(({ roleId, roleName }) => (roleId === undefined ? words.membership : roleLabel(roleId, roleName)))
          .join(', '),
      ])}
    />
  );
}

function Communities({ communities }: { communities: readonly Community[] }) {
  const words = useAdminGroupTexts();
  const texts = useCommunitiesTexts();
  const roleLabel = useRoleLabel();
  const column = useCommunityColumn<Community>();
  if (communities.length === 0) return null;
  return (
    <>
      <h3>{words.communities}</h3>
      <AdminTable
        label={words.communities}
        rows={communities}
        keyOf={({ communityId }) => communityId!}
        columns={[
          column,
          {
            key: 'roles',
            label: texts.role,
            cell: ({ ways = [] }) =>
              ways.map(({ roleId, roleName, givenIn }) => (
                <div key={`${roleId} ${givenIn}`}>{`${roleLabel(roleId, roleName)}: ${texts.sources[givenIn!]}`}</div>
              )),
          },
        ]}
      />
    </>
  );
}

function Steps({ steps }: { steps: readonly Step[] }) {
  const words = useAdminGroupTexts();
  const column = useCommunityColumn<Step>();
  if (steps.length === 0) return null;
  return (
    <>
      <h3>{words.workflows}</h3>
      <AdminTable
        label={words.workflows}
        rows={steps}
        keyOf={({ communityId, stateId, transitionId = 0 }) => `${communityId} ${stateId} ${transitionId}`}
        columns={[
          column,
          { key: 'state', label: words.state, cell: ({ stateName }) => <span dir="auto">{stateName}</span> },
          {
            key: 'step',
            label: words.may,
            cell: ({ transitionName }) =>
              transitionName === undefined ? words.editScreen : words.runTransition(transitionName),
          },
        ]}
      />
    </>
  );
}

/** The name of a community, which leads to its administration for holders of its right. */
function useCommunityColumn<Row extends { communityId?: number; communityName?: string }>(): AdminColumn<Row> {
  const words = useAdminGroupTexts();
  const manages = useRights().data?.has('manageDigitalWorplace') ?? false;
  return {
    key: 'community',
    label: words.community,
    cell: ({ communityId, communityName }) =>
      manages ? (
        <Link to="/admin/community/$communityId" params={{ communityId: String(communityId) }}>
          <span dir="auto">{communityName}</span>
        </Link>
      ) : (
        <span dir="auto">{communityName}</span>
      ),
  };
}
