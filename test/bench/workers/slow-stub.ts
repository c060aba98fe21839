/** What stands where the queue is in production, and takes as long as one that is not in a hurry. */

const QUEUE_MS = 20;

export default {
  async fetch(request) {
    await request.arrayBuffer();
    await scheduler.wait(QUEUE_MS);
    return Response.json({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: 0 } } });
  },
} satisfies ExportedHandler;
