import { getTenant } from '#tenant/current.ts';
import { privacyPage, supportPage, termsPage } from '#tenant/pages.ts';
import styles from './page-footer.module.css';

export function PageFooter() {
  const tenant = getTenant();
  return (
    <footer className={styles.footer}>
      <a href={supportPage(tenant)}>Help</a>
      <a href={termsPage(tenant)}>Terms</a>
      <a href={privacyPage}>Privacy</a>
    </footer>
  );
}
