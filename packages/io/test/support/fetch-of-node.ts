// A fetch whose bodies are streams of Node, as those of node-fetch, over node:http.
import { get } from 'node:http';

const fetchOfNode = (url: string, { headers, signal }: RequestInit): Promise<Response> =>
  new Promise((resolve, reject) => {
    get(url, { headers: headers as Record<string, string>, signal: signal as AbortSignal }, (message) => {
      const { statusCode: status = 0, statusMessage: statusText = '' } = message;
      const ok = status >= 200 && status < 300;
      const told = new Headers(message.headers as Record<string, string>);
      resolve({ ok, status, statusText, headers: told, body: message, bodyUsed: false } as unknown as Response);
    }).on('error', reject);
  });

export const nodeFetch = fetchOfNode as typeof fetch;
