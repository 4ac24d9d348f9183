import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { type Right, useMe } from '../../shared-queries.ts';
import { Menu, type MenuItem } from '../../write/menu.tsx';
import { useCommunitiesTexts } from '../communities/texts.ts';
import { useRoleLabel } from '../roles/use-roles.ts';
import { AdminScreenPage, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { EditGroups, EditPerson } from './edit-person.tsx';
import { type PersonAction, PersonDialog } from './person-dialogs.tsx';
import { Sessions, SignIn } from './person-sign-ins.tsx';
import { useAdminPeopleTexts } from './texts.ts';

/** Everything that the screen of a person shows. */
export type PersonForm = Awaited<ReturnType<typeof readPerson>>;

async function readPerson(userId: number) {
  const [form, leaving, credentials, signIns, access] = await Promise.all([
    portal.users.readForEdit({ userId }),
    portal.users.leaving({ userId }),
    portal.users.readCredentialsForEdit({ userId }),
    portal.users.signIns({ userId }),
    portal.users.access({ userId }),
  ]);
  return {
    userId,
    form,
    leaving,
    credentials,
    signIns,
    communities: access.communities ?? [],
  };
}

/** A person: account, access, ways to sign in, and the actions on the account. */
export function PersonScreen() {
  const userId = Number(useParams({ strict: false }).personId);
  const person = useQuery({ queryKey: ['admin', 'person', userId], queryFn: () => readPerson(userId) });
  return <Loaded query={person}>{(found) => <Person key={found.userId} person={found} />}</Loaded>;
}

function Person({ person }: { person: PersonForm }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const navigate = useNavigate();
  const [action, setAction] = useState<PersonAction | 'edit' | 'groups'>();
  const { form } = person;
  const name = [form.firstname, form.lastname].filter(Boolean).join(' ') || `#${person.userId}`;
  const close = () => setAction(undefined);
  return (
    <AdminScreenPage
      title={name}
      actions={
        <>
          <Button variant="default" onClick={() => setAction('edit')}>
            {texts.edit}
          </Button>
          <Button variant="default" onClick={() => setAction('groups')}>
            {words.groups}
          </Button>
          <PersonMenu person={person} choose={setAction} />
        </>
      }
    >
      <Account person={person} />
      <Access person={person} />
      <Communities person={person} />
      <SignIn person={person} />
      <Sessions person={person} name={name} onSignOut={() => setAction('signOut')} />
      <p className="buttons">
        <Link to="/admin/audit" search={{ kind: 'user', object: person.userId }}>
          {words.auditOf}
        </Link>
        <Link to="/admin/audit" search={{ actor: person.userId }}>
          {words.auditBy}
        </Link>
        <Link to="/people" search={{ person: person.userId }}>
          {words.profile}: {name}
        </Link>
      </p>
      {action === 'edit' && <EditPerson person={person} onClose={close} />}
      {action === 'groups' && <EditGroups person={person} onClose={close} />}
      {action !== undefined && action !== 'edit' && action !== 'groups' && (
        <PersonDialog
          action={action}
          person={person}
          name={name}
          onClose={close}
          onGone={() => void navigate({ to: '/admin/people' })}
        />
      )}
    </AdminScreenPage>
  );
}

/** The actions on an account. Nobody ends their own access. */
function PersonMenu({ person, choose }: { person: PersonForm; choose: (action: PersonAction) => void }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const me = useMe().data?.userData?.id;
  const own = person.userId === me;
  const { blocked } = person.form;
  const item = (action: PersonAction, label: string): MenuItem => ({ label, run: () => choose(action) });
  const items = [
    item('invite', words.sendInvitation),
    item('reset', words.resetPassword),
    item('signOut', words.signOut),
    item('removeFactor', words.removeFactor),
    ...(own
      ? []
      : [blocked ? item('unblock', words.unblock) : item('block', words.block), item('leave', words.leaving)]),
  ];
  return <Menu className="small" label={texts.moreActions} button={texts.moreActions} items={items} />;
}

function Account({ person: { form } }: { person: PersonForm }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  return (
    <section aria-label={words.profile}>
      <h2>{words.profile}</h2>
      <Facts
        facts={[
          [texts.state, form.blocked ? words.states.blocked : words.states.active],
          [words.contactEmail, form.contactEmail ?? texts.none],
          [texts.externalId, form.externalId ?? texts.none],
        ]}
      />
    </section>
  );
}

/** Rights with their source, groups, and roles that were given to the person directly. */
function Access({ person: { leaving } }: { person: PersonForm }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const roleLabel = useRoleLabel();
  const { adminCapabilities: own = [], groups = [], roles = [] } = leaving;
  const rights = (Object.keys(texts.rights) as Right[]).flatMap((right) => {
    const sources = [
      ...(own.includes(right) ? [words.directly] : []),
      ...groups.filter((group) => group.adminCapabilities?.includes(right)).map(({ name = '' }) => words.byGroup(name)),
    ];
    return sources.length === 0 ? [] : [`${texts.rights[right]} (${sources.join(', ')})`];
  });
  return (
    <section aria-label={words.access}>
      <h2>{words.access}</h2>
      <Facts
        facts={[
          [
            texts.rightsTitle,
            rights.length === 0 ? words.noRights : rights.map((text) => <div key={text}>{text}</div>),
          ],
          [
            words.groups,
            groups.length === 0
              ? texts.none
              : groups.map(({ groupId, name }) => (
                  <div key={groupId}>
                    <Link to="/admin/group/$groupId" params={{ groupId: String(groupId) }}>
                      {name}
                    </Link>
                  </div>
                )),
          ],
          [
            words.roles,
            roles.length === 0
              ? texts.none
              : roles.map((role) => (
                  <div key={`${role.communityId} ${role.workspaceId} ${role.roleId}`}>
                    {words.roleIn(
                      role.roleId === undefined ? words.membership : roleLabel(role.roleId, role.roleName),
                      role.communityName ?? role.workspaceName ?? words.everywhere,
                    )}
                  </div>
                )),
          ],
        ]}
      />
    </section>
  );
}

/** The communities that the person sees, and each way by which a role was given there. */
function Communities({ person: { communities } }: { person: PersonForm }) {
  const words = useAdminPeopleTexts();
  const roleLabel = useRoleLabel();
  const sources = useCommunitiesTexts();
  if (communities.length === 0) return null;
  return (
    <section aria-label={sources.communities}>
      <h2>{sources.communities}</h2>
      <Facts
        facts={communities.map(({ communityName = '', ways = [] }) => [
          communityName,
          ways.map(({ roleId, roleName, givenIn, groupName }) => {
            const source = sources.sources[givenIn!];
            const way = groupName === undefined ? source : sources.throughGroup(groupName, source);
            const text = `${roleLabel(roleId, roleName)}: ${way}`;
            return <div key={text}>{text}</div>;
          }),
        ])}
      />
      <p className="muted">{words.accessHint}</p>
    </section>
  );
}
