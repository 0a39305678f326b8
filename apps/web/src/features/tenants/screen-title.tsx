import { getTenant } from '#tenant/current.ts';
import { Title } from '#ui/title.tsx';

export const ScreenTitle = ({ children }: { children: string }) => <Title site={getTenant().name}>{children}</Title>;
