/** The least that a Worker can do and still take an event: parse it, put it on the queue, answer. */

interface Env {
  readonly EVENTS: Queue<string>;
}

export default {
  async fetch(request, env) {
    const event = await request.json();
    await env.EVENTS.send(`${JSON.stringify(event)}\n`, { contentType: 'text' });
    return new Response('{"status":"success"}', { status: 202, headers: { 'content-type': 'application/json' } });
  },
} satisfies ExportedHandler<Env>;
