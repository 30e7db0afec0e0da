import { answer } from '../../../lib/answer.js';

export const dynamic = 'force-dynamic';

export async function GET() {
  return Response.json(await answer());
}
