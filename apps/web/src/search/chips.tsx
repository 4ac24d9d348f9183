import type { SearchResponse } from '@portico/sdk';
import type { ReactNode } from 'react';
import { useCommunities } from '../shared-queries.ts';
import { useTexts } from '../texts/index.ts';
import { type SearchAddress, type SearchKind, searchKinds } from './search-address.ts';
import { useSearchTexts } from './texts.ts';

/** Most chips of communities, and of states. */
const MOST = 8;

/** Filters by kind, community and state, with the number of results of each. */
export function Chips({
  address,
  counts,
  onChange,
}: {
  address: SearchAddress;
  counts: SearchResponse['counts'] | undefined;
  onChange: (change: SearchAddress) => void;
}) {
  const texts = useTexts();
  const words = useSearchTexts();
  const known = useCommunities().data ?? [];
  const { kinds = [], communities = [], states = [] } = address;
  const counted = (list: readonly { value?: string; count?: number }[] | undefined) =>
    new Map((list ?? []).map(({ value, count }) => [value ?? '', count ?? 0]));
  const byKind = counted(counts?.kinds);
  const byCommunity = counted(counts?.communities);
  const byState = counted(counts?.states);
  const communityIds = [...new Set([...communities, ...[...byCommunity.keys()].map(Number)])].slice(0, MOST);
  const stateNames = [...new Set([...states, ...byState.keys()])].slice(0, MOST);
  const nameOf = (id: number) => known.find((community) => community.id === id)?.name || texts.untitled;
  return (
    <div className="search-filters">
      <Group label={words.kind} shown={byKind.size > 1 || kinds.length > 0}>
        {searchKinds
          .filter((kind) => byKind.has(kind) || kinds.includes(kind))
          .map((kind) => (
            <Chip
              key={kind}
              label={words.kinds[kind]}
              count={byKind.get(kind)}
              chosen={kinds.includes(kind)}
              onToggle={() => onChange({ kinds: toggled<SearchKind>(kinds, kind) })}
            />
          ))}
      </Group>
      <Group label={words.community} shown={byCommunity.size > 1 || communities.length > 0}>
        {communityIds.map((id) => (
          <Chip
            key={id}
            label={nameOf(id)}
            count={byCommunity.get(String(id))}
            chosen={communities.includes(id)}
            onToggle={() => onChange({ communities: toggled(communities, id) })}
          />
        ))}
      </Group>
      <Group label={texts.state} shown={byState.size > 1 || states.length > 0}>
        {stateNames.map((name) => (
          <Chip
            key={name}
            label={name}
            count={byState.get(name)}
            chosen={states.includes(name)}
            onToggle={() => onChange({ states: toggled(states, name) })}
          />
        ))}
      </Group>
    </div>
  );
}

function toggled<T>(chosen: readonly T[], one: T): T[] {
  return chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
}

/** Chips of one kind; none where there is nothing to choose. */
function Group({ label, shown, children }: { label: string; shown: boolean; children: ReactNode }) {
  if (!shown) return null;
  return (
    <fieldset className="chips">
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

function Chip({
  label,
  count,
  chosen,
  onToggle,
}: {
  label: string;
  count: number | undefined;
  chosen: boolean;
  onToggle: () => void;
}) {
  return (
    <button type="button" className="chip" aria-pressed={chosen} onClick={onToggle}>
      <span className="clip">{label}</span>
      {count !== undefined && <span className="muted">{count}</span>}
    </button>
  );
}
