import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';
import { useLegalTexts } from './legal-texts.ts';

type Branding = Output<'getBranding'>;

/** The looks of the portal, which need no sign-in. */
export const useBranding = () =>
  useQuery({ queryKey: ['branding'], queryFn: () => portal.settings.branding(), staleTime: Number.POSITIVE_INFINITY });

/** Links to the legal pages of the portal; renders nothing without any. */
export function LegalLinks({ branding: { imprintUrl, privacyUrl } }: { branding: Branding }) {
  const texts = useLegalTexts();
  if (imprintUrl === undefined && privacyUrl === undefined) return null;
  return (
    <p className="legal-links">
      {imprintUrl !== undefined && (
        <a href={imprintUrl} target="_blank" rel="noreferrer">
          {texts.imprint}
        </a>
      )}
      {privacyUrl !== undefined && (
        <a href={privacyUrl} target="_blank" rel="noreferrer">
          {texts.privacy}
        </a>
      )}
    </p>
  );
}
