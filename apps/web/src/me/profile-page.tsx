import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useMe } from '../read.ts';
import { useTexts } from '../texts/index.ts';

/** How the caller is reached, and how the page looks to them. */
export function ProfilePage() {
  const texts = useTexts();
  const me = useMe().data?.userData;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <p className="muted">{me?.contactEmail}</p>
      <h2>{texts.appearance}</h2>
      <SegmentedControl
        aria-label={texts.appearance}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
        data={[
          { value: 'auto', label: texts.system },
          { value: 'light', label: texts.light },
          { value: 'dark', label: texts.dark },
        ]}
      />
    </>
  );
}
