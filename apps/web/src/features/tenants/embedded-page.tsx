import type { ReactNode } from 'react';
import { getStart } from '#tenant/current.ts';
import styles from './embedded-page.module.css';
import { MemberPage } from './member-page.tsx';
import { ScreenTitle } from './screen-title.tsx';

interface EmbeddedPageProps {
  title: string;
  url: string;
  /** Our own content above it. */
  above?: ReactNode;
}

const links = 'allow-popups allow-popups-to-escape-sandbox';
/** Our own pages have no scripts: with ours and the right to run them, a frame could take its sandbox off. */
const ofOurs = `allow-same-origin ${links}`;
/** Lets foreign pages run scripts, without navigating this window or downloading. */
const ofForeign = `allow-scripts allow-same-origin allow-forms ${links}`;

/** Returns true for a page of this host or of another of the product's. */
function isOurs(url: string): boolean {
  if (url.startsWith('/')) return true;
  const { productDomain } = getStart().config;
  const { hostname } = new URL(url);
  return hostname === productDomain || hostname.endsWith(`.${productDomain}`);
}

/** Shows a foreign page or ours under the app bar. */
export const EmbeddedPage = ({ title, url, above }: EmbeddedPageProps) => (
  <MemberPage width="full">
    <div className="visually-hidden">
      <ScreenTitle>{title}</ScreenTitle>
    </div>
    {above}
    <iframe className={styles.frame} src={url} title={title} sandbox={isOurs(url) ? ofOurs : ofForeign} />
  </MemberPage>
);
