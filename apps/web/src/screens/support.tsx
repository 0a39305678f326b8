import { EmbeddedPage } from '#features/tenants/embedded-page.tsx';
import { getTenant } from '#tenant/current.ts';
import { supportPage } from '#tenant/pages.ts';

/** Support — /support: the FAQ, embedded. */
export default function Support() {
  return <EmbeddedPage title="Support" url={supportPage(getTenant())} />;
}
