import { ConnectorAuth } from '@connector-auth/widget/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { OwnCatalog } from './own-catalog.js';

function App() {
  const [said, setSaid] = useState('');
  return (
    <>
      <ConnectorAuth
        tokenUrl="/token"
        messages={{ catalogLead: 'Said by React' }}
        onReady={({ detail }) => setSaid(`${detail.sources} ready`)}
        onConnected={({ detail }) => setSaid(`${detail.connector.name} connected`)}
      />
      <output>{said}</output>
      <OwnCatalog />
    </>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
