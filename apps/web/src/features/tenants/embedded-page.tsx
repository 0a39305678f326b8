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

/** Lets foreign pages run, without navigating this window or downloading. */
const mayDo = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

/** Shows a foreign page or ours under the app bar. */
export const EmbeddedPage = ({ title, url, above }: EmbeddedPageProps) => (
  <MemberPage width="full">
    <div className="visually-hidden">
      <ScreenTitle>{title}</ScreenTitle>
    </div>
    {above}
    <iframe className={styles.frame} src={url} title={title} sandbox={mayDo} />
  </MemberPage>
);
