import type { ReactNode } from 'react';
import styles from './embedded-page.module.css';
import { MemberPage } from './member-page.tsx';
import { ScreenTitle } from './screen-title.tsx';

interface EmbeddedPageProps {
  title: string;
  url: string;
  /** Something of ours above it. */
  above?: ReactNode;
}

/** A page from elsewhere may run and link, but not take this window elsewhere or start downloads. */
const mayDo = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

/** A page from elsewhere, or one of our plain ones, under the app bar with its menu. */
export const EmbeddedPage = ({ title, url, above }: EmbeddedPageProps) => (
  <MemberPage width="full">
    <div className="visually-hidden">
      <ScreenTitle>{title}</ScreenTitle>
    </div>
    {above}
    <iframe className={styles.frame} src={url} title={title} sandbox={mayDo} />
  </MemberPage>
);
