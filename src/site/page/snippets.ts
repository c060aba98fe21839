/** How to send an event, in the languages in which property management systems are written. Pure. */

import { ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { type Language, ORIGIN } from './code.ts';

/** A program that sends an event. */
interface Snippet {
  readonly name: string;
  readonly language: Language;
  readonly source: string;
}

const URL = `${ORIGIN}${ENDPOINT_PATH}`;

const EVENT = `{
  "IntegrationId": "int-4821",
  "PropertyId": "prague-riverside",
  "EventType": "ReservationConfirmed",
  "ReservationState": "Confirmed",
  "ReservationId": "res-90417",
  "AssignedResourceNumber": "0304",
  "StartUtc": "2026-06-12T13:00:00Z",
  "EndUtc": "2026-06-15T09:00:00Z"
}`;

/** The snippets, the one that works everywhere first. */
export const SNIPPETS: readonly Snippet[] = [
  {
    name: 'curl',
    language: 'bash',
    source: `curl -i ${URL} \\
  -H "Authentication: Bearer $API_TOKEN" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: ntf-8812-1" \\
  -d '${EVENT}'`,
  },
  {
    name: 'C#',
    language: 'csharp',
    source: `using var request = new HttpRequestMessage(HttpMethod.Post,
    "${URL}");
request.Headers.Add("Authentication", $"Bearer {apiToken}");
request.Headers.Add("Idempotency-Key", notification.Id);
// Serialises with the names of the contract, PascalCase.
request.Content = JsonContent.Create(reservationEvent);

using var response = await http.SendAsync(request);
if (response.StatusCode == HttpStatusCode.Accepted) return Sent;
return (int)response.StatusCode is 429 or >= 500
    ? TryAgainAfter(response.Headers.RetryAfter)
    : Refused(await response.Content.ReadAsStringAsync());`,
  },
  {
    name: 'Java',
    language: 'java',
    source: `var request = HttpRequest.newBuilder(
        URI.create("${URL}"))
    .timeout(Duration.ofSeconds(5))
    .header("Authentication", "Bearer " + apiToken)
    .header("Content-Type", "application/json")
    .header("Idempotency-Key", notification.id())
    .POST(BodyPublishers.ofString(json.writeValueAsString(event)))
    .build();

var response = http.send(request, BodyHandlers.ofString());
if (response.statusCode() == 202) return SENT;
return response.statusCode() == 429 || response.statusCode() >= 500
    ? tryAgainAfter(response.headers().firstValueAsLong("Retry-After"))
    : refused(response.body());`,
  },
  {
    name: 'JavaScript',
    language: 'javascript',
    source: `const response = await fetch('${URL}', {
  method: 'POST',
  headers: {
    Authentication: \`Bearer \${process.env.API_TOKEN}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': notification.id,
  },
  body: JSON.stringify(event),
  signal: AbortSignal.timeout(5000),
});

if (response.status === 202) return 'sent';
return response.status === 429 || response.status >= 500
  ? tryAgainAfter(response.headers.get('Retry-After'))
  : refused(await response.json());`,
  },
  {
    name: 'Python',
    language: 'python',
    source: `response = requests.post(
    "${URL}",
    json=event,
    headers={
        "Authentication": f"Bearer {os.environ['API_TOKEN']}",
        "Idempotency-Key": notification.id,
    },
    timeout=5,
)

if response.status_code == 202:
    mark_sent(notification)
elif response.status_code == 429 or response.status_code >= 500:
    try_again(notification, after=response.headers.get("Retry-After"))
else:
    report(notification, response.json())`,
  },
  {
    name: 'PHP',
    language: 'php',
    source: `<?php
$request = curl_init('${URL}');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_POSTFIELDS => json_encode($event, JSON_THROW_ON_ERROR),
    CURLOPT_HTTPHEADER => [
        'Authentication: Bearer ' . getenv('API_TOKEN'),
        'Content-Type: application/json',
        'Idempotency-Key: ' . $notification->id,
    ],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
]);
$answer = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);

if ($status === 202) return SENT;
return $status === 0 || $status === 429 || $status >= 500
    ? tryAgain($notification)
    : refused(json_decode($answer, true));`,
  },
];
