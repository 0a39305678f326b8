import { EmbeddedPage } from '#features/tenants/embedded-page.tsx';
import { privacyPage } from '#tenant/pages.ts';

/** Privacy — /privacy: the footer's linked page, embedded. */
export default function Privacy() {
  return <EmbeddedPage title="Privacy" url={privacyPage} />;
}
