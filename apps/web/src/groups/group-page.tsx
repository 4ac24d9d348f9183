import '../users/people.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { Empty, Loaded } from '../placeholders.tsx';
import { portal } from '../portal.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';
import { usePeopleTexts } from '../users/texts.ts';

/** The page of a group that the caller can mention: its purpose, its address, its number of members. */
export function GroupPage() {
  const texts = useTexts();
  const words = usePeopleTexts();
  const formats = useFormats();
  const groupId = Number(useParams({ strict: false }).groupId);
  const group = useQuery({
    queryKey: ['group', groupId],
    queryFn: async () => (await portal.groups.find({ ids: [groupId] })).items?.[0] ?? null,
  });
  useTitle(group.data?.name);
  return (
    <div className="page">
      <Loaded query={group}>
        {(found) =>
          found === null ? (
            <Empty>
              <p>{texts.notFound}</p>
              <Link to="/people">{texts.people}</Link>
            </Empty>
          ) : (
            <>
              <header className="toolbar">
                <h1 dir="auto">{found.name || texts.untitled}</h1>
              </header>
              <p className="muted">{words.members(formats.count(found.membersCount ?? 0))}</p>
              {found.description && <p dir="auto">{found.description}</p>}
              {found.email && (
                <p>
                  <Mail size={14} aria-hidden /> <a href={`mailto:${found.email}`}>{found.email}</a>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}
