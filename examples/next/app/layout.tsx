import type { ReactNode } from 'react';

export const metadata = { title: 'Sources' };

const body = {
  maxInlineSize: '40rem',
  margin: '2rem auto',
  paddingInline: '1rem',
  fontFamily: 'system-ui, sans-serif',
};

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body style={body}>{children}</body>
    </html>
  );
}
