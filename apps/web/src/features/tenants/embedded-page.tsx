import styles from './embedded-page.module.css';
import { MemberPage } from './member-page.tsx';
import { ScreenTitle } from './screen-title.tsx';

/** A page from elsewhere, or one of our plain ones, under the app bar with its menu. */
export const EmbeddedPage = ({ title, url }: { title: string; url: string }) => (
  <MemberPage width="full">
    <div className="visually-hidden">
      <ScreenTitle>{title}</ScreenTitle>
    </div>
    <iframe className={styles.frame} src={url} title={title} />
  </MemberPage>
);
