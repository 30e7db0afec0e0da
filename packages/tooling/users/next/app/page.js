import { answer } from '../lib/answer.js';

export const dynamic = 'force-dynamic';

export default async function Page() {
  return <pre>{JSON.stringify(await answer())}</pre>;
}
