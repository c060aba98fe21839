/** What stands where Queue and R2 are in production: it confirms everything, keeps nothing, and so has nothing to read. */

/** How R2 says that there is no such object (workerd, r2-rpc.c++): the one code that reads as null. */
const NO_SUCH_OBJECT = JSON.stringify({ version: 0, v4code: 10_007, message: 'The specified key does not exist.' });

export default {
  async fetch(request) {
    const { method } = request;
    await request.arrayBuffer();
    if (method === 'GET') return new Response(null, { status: 404, headers: { 'cf-r2-error': NO_SUCH_OBJECT } });
    // The shape of the answer of Queues; R2 reads its own from a header and takes this for an empty one.
    return Response.json({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: 0 } } });
  },
} satisfies ExportedHandler;
