import { EntryPage } from '#features/tenants/entry-page.tsx';
import { ButtonLink } from '#ui/button.tsx';

export default function NotFound() {
  return (
    <EntryPage title="We can't find that page">
      <p>The address may be mistyped, or the page has moved. Nothing has happened to your account.</p>
      <ButtonLink to="/">Go home</ButtonLink>
    </EntryPage>
  );
}
