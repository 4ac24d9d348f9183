import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { AdminScreenPage, AdminTable, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { useHealthTexts } from './texts.ts';

type Health = Output<'getTenantHealth'>;

/** How full the portal is, and the work that waits or failed. */
export function HealthScreen() {
  const texts = useAdminTexts();
  const health = useQuery({ queryKey: ['admin', 'health'], queryFn: () => portal.settings.health() });
  return (
    <AdminScreenPage title={texts.screens['/admin/health'].label}>
      <Loaded query={health}>
        {(found) => (
          <>
            <Use health={found} />
            <Work health={found} />
            <Largest health={found} />
          </>
        )}
      </Loaded>
    </AdminScreenPage>
  );
}

function Use({ health }: { health: Health }) {
  const words = useHealthTexts();
  const formats = useFormats();
  const number = (value = 0) => formats.number(value);
  const { filesBytes = 0, filesQuotaBytes: quota } = health;
  const share = quota ? `${number(Math.min(100, Math.round((filesBytes / quota) * 100)))} %` : '';
  return (
    <section aria-label={words.use}>
      <h2>{words.use}</h2>
      <Facts
        facts={[
          [words.version, health.version],
          [words.people, `${number(health.activeUsersCount)}, ${words.seen(number(health.seenUsersCount))}`],
          [words.communities, number(health.communitiesCount)],
          [words.posts, number(health.postsCount)],
          [words.files, words.filesOf(formats.bytes(filesBytes), number(health.filesCount))],
          [
            words.room,
            quota === undefined ? (
              words.noLimit
            ) : (
              <>
                <meter min={0} max={quota} high={quota * 0.9} value={filesBytes} aria-label={words.room} />{' '}
                {words.roomUsed(share, formats.bytes(quota))}
              </>
            ),
          ],
        ]}
      />
    </section>
  );
}

function Work({ health }: { health: Health }) {
  const words = useHealthTexts();
  const formats = useFormats();
  const number = (value = 0) => formats.number(value);
  const work = (waiting: number | undefined, failed: number | undefined) =>
    words.waitingAndFailed(number(waiting), number(failed));
  const mails = work(health.waitingMailsCount, health.failedMailsCount);
  return (
    <section aria-label={words.work}>
      <h2>{words.work}</h2>
      <Facts
        facts={[
          [
            words.mails,
            [mails, ...(health.unsentMailsCount ? [words.unsent(number(health.unsentMailsCount))] : [])].join(', '),
          ],
          [words.imports, work(health.runningImportsCount, health.failedImportsCount)],
          [words.definitionChanges, work(health.runningDefinitionChangesCount, health.failedDefinitionChangesCount)],
          [words.waitingFiles, number(health.waitingFilesCount)],
        ]}
      />
    </section>
  );
}

function Largest({ health: { largestCommunities: communities = [] } }: { health: Health }) {
  const texts = useAdminTexts();
  const words = useHealthTexts();
  const formats = useFormats();
  return (
    <section aria-label={words.largest}>
      <h2>{words.largest}</h2>
      {communities.length === 0 ? (
        <p className="muted">{words.noFiles}</p>
      ) : (
        <AdminTable
          label={words.largest}
          rows={communities}
          keyOf={({ communityId }) => communityId!}
          columns={[
            {
              key: 'name',
              label: texts.name,
              cell: ({ communityId, name }) => (
                <Link to="/admin/community/$communityId" params={{ communityId: String(communityId) }}>
                  {name}
                </Link>
              ),
            },
            { key: 'size', label: words.size, number: true, cell: ({ filesBytes = 0 }) => formats.bytes(filesBytes) },
            {
              key: 'files',
              label: words.files,
              number: true,
              cell: ({ filesCount = 0 }) => formats.number(filesCount),
            },
          ]}
        />
      )}
    </section>
  );
}
