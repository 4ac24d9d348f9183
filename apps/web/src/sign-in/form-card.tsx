import '../forms.css';
import { Stack, Text, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

/** The page frame before the sign-in: one form under a title. */
export function FormCard({
  title,
  above,
  onSubmit,
  children,
}: {
  title: string;
  /** Name of the portal; empty until it is known, so that the layout does not move. */
  above?: string;
  onSubmit: (event: FormEvent) => void;
  children: ReactNode;
}) {
  return (
    <main className="centre">
      <form className="card" onSubmit={onSubmit}>
        <Stack gap={16}>
          {above !== undefined && <p className="portal-name">{above}</p>}
          <Title order={1} size="xl">
            {title}
          </Title>
          {children}
        </Stack>
      </form>
    </main>
  );
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
