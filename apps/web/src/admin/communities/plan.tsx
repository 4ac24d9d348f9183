import type { Output } from '@portico/sdk';
import { useFormats } from '../../texts/index.ts';
import { useCommunitiesTexts } from './texts.ts';

/** Changes that are listed one by one. */
const SHOWN = 200;

/** The changes that a community file would make. */
export function Plan({ plan }: { plan: Output<'planCommunity'> }) {
  const words = useCommunitiesTexts();
  const formats = useFormats();
  const { changes = [], communityId } = plan;
  return (
    <section className="effect" aria-label={words.plan}>
      <h3>{words.plan}</h3>
      {communityId !== undefined && <p>{words.exists}</p>}
      <p>{changes.length === 0 ? words.noChanges : words.planHint}</p>
      <ul>
        {changes.slice(0, SHOWN).map(({ action, kind, key, within, properties = [], postsCount = 0 }) => (
          <li key={`${kind} ${within ?? ''} ${key}`}>
            {words.actions[action!]}: {words.kinds[kind!]} <bdi>{key}</bdi>
            {properties.length > 0 && ` (${properties.map(({ name }) => name).join(', ')})`}
            {postsCount > 0 && ` ${words.inPosts(formats.number(postsCount))}`}
          </li>
        ))}
      </ul>
      {changes.length > SHOWN && <p>… {formats.number((plan.changesCount ?? changes.length) - SHOWN)}</p>}
    </section>
  );
}
