/** Name and logo of the portal above the menu, and its legal pages below. Loaded after the page. */
import './portal-part.css';
import { LegalLinks, useBranding } from './legal-links.tsx';

/** @param legal whether the legal pages are shown, instead of name and logo */
export function PortalPart({ legal }: { legal?: boolean }) {
  const branding = useBranding().data;
  if (!branding) return null;
  if (legal) return <LegalLinks branding={branding} />;
  return (
    <>
      {branding.logoUrl !== undefined && <img src={branding.logoUrl} alt="" />}
      <span className="clip" dir="auto">
        {branding.portalName}
      </span>
    </>
  );
}
