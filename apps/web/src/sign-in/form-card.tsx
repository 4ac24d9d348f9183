import '../forms.css';
import { Stack, Text, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

/** The page frame before the sign-in: one form under a title. */
export function FormCard({
  title,
  above,
  logo,
  inDialog = false,
  onSubmit,
  children,
}: {
  title: string;
  /** Name of the portal; empty until it is known, so that the layout does not move. */
  above?: string;
  /** Address of the logo of the portal. */
  logo?: string | undefined;
  /** Whether it is part of a dialog, which has a heading of its own. */
  inDialog?: boolean;
  onSubmit: (event: FormEvent) => void;
  children: ReactNode;
}) {
  const form = (
    <form className="card" aria-label={title} onSubmit={onSubmit}>
      <Stack gap={16}>
        {logo !== undefined && <img className="portal-logo" src={logo} alt="" />}
        {above !== undefined && <p className="portal-name">{above}</p>}
        {!inDialog && (
          <Title order={1} size="xl">
            {title}
          </Title>
        )}
        {children}
      </Stack>
    </form>
  );
  return inDialog ? form : <main className="centre">{form}</main>;
}

/** An error above the button; renders nothing if the text is empty. */
export function Problem({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <Text role="alert" c="var(--mantine-color-error)">
      {text}
    </Text>
  );
}
