import { Empty } from '../states.tsx';
import { useTexts } from '../texts/index.ts';

export function StartPage() {
  const texts = useTexts();
  return <Empty>{texts.start}</Empty>;
}
