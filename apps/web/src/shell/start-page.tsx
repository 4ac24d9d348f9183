import { useCommunities } from '../read.ts';
import { Empty, Failed } from '../states.tsx';
import { useTexts } from '../texts/index.ts';

export function StartPage() {
  const texts = useTexts();
  const communities = useCommunities();
  // The sidebar is silent about what it cannot read.
  if (communities.isError) return <Failed error={communities.error} retry={() => void communities.refetch()} />;
  return <Empty>{texts.start}</Empty>;
}
