import { YourData } from '#features/offboarding/your-data.tsx';
import { EmbeddedPage } from '#features/tenants/embedded-page.tsx';
import { getTenant } from '#tenant/current.ts';
import { termsPage } from '#tenant/pages.ts';

/** Terms — /terms, embedded, with the supporter's choices about data. */
export default function Terms() {
  return <EmbeddedPage title="Terms" url={termsPage(getTenant())} above={<YourData />} />;
}
