import { useTitle } from '../use-title.ts';
import { useAdminTexts } from './texts.ts';

/** The first page of the administration: on a phone its navigation is all of it. */
export function AdminOverview() {
  const texts = useAdminTexts();
  useTitle(texts.administration);
  return (
    <header className="toolbar admin-title">
      <h1>{texts.administration}</h1>
    </header>
  );
}
