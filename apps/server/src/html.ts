/** Escapes text for HTML, including attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
