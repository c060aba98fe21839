/**
 * How to send an event in the languages that property management systems are written in: complete programs that run
 * unchanged once API_TOKEN is set. Pure.
 */

import { BATCH_PATH, ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { FIELDS } from '../../contract/fields.ts';
import { EXAMPLES } from '../words/examples.ts';
import { type Language, ORIGIN } from './code.ts';

/** A program that sends an event. */
interface Snippet {
  readonly name: string;
  readonly language: Language;
  readonly source: string;
}

const URL = `${ORIGIN}${ENDPOINT_PATH}`;

/** The event that every program sends. */
export const EVENT = `{
  "IntegrationId": "int-4821",
  "PropertyId": "prague-riverside",
  "EventType": "ReservationConfirmed",
  "ReservationState": "Confirmed",
  "ReservationId": "res-90417",
  "AssignedResourceNumber": "0304",
  "StartUtc": "2026-06-12T15:00:00+02:00",
  "EndUtc": "2026-06-15T11:00:00+02:00"
}`;

const indented = (text: string, by: number) => text.replaceAll('\n', `\n${' '.repeat(by)}`);

/** The event as a PHP array. */
const PHP_EVENT = EVENT.replaceAll('": ', '" => ').replaceAll('"', "'").replace(/^\{/, '[').replace(/\n\}$/, ',\n]');

/** The event as a JavaScript object literal. */
const JAVASCRIPT_EVENT = EVENT.replaceAll(/"(\w+)":/g, '$1:')
  .replaceAll('"', "'")
  .replace(/\n\}$/, ',\n}');

const REQUIRED: readonly string[] = FIELDS.filter(({ required }) => required).map(({ wire }) => wire);

/** Two lines of a batch, with only the required fields to keep them short. */
const [ONE, TWO] = EXAMPLES.map(({ event }) =>
  JSON.stringify(Object.fromEntries(Object.entries(event).filter(([name]) => REQUIRED.includes(name)))),
);

/** How to send a batch. In any language only the address and the body change, so one snippet is enough. */
export const BATCH_SNIPPET = `curl -i ${ORIGIN}${BATCH_PATH} \\
  --max-time 30 \\
  -H "Authorization: Bearer $API_TOKEN" \\
  -H "Content-Type: application/x-ndjson" \\
  -H "Idempotency-Key: nightly-0518" \\
  --data-binary '${ONE}
${TWO}'`;

/** The snippets, starting with the one that works everywhere. */
export const SNIPPETS: readonly Snippet[] = [
  {
    name: 'curl',
    language: 'bash',
    source: `curl -i ${URL} \\
  --max-time 5 \\
  -H "Authorization: Bearer $API_TOKEN" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: ntf-8812-1" \\
  -d '${EVENT}'`,
  },
  {
    name: 'C#',
    language: 'csharp',
    source: `using System;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

class Send {
    const string Event = @"${indented(EVENT.replaceAll('"', '""'), 4)}";

    static void Main() { SendEvent().GetAwaiter().GetResult(); }

    static async Task SendEvent() {
        var token = Environment.GetEnvironmentVariable("API_TOKEN");
        using (var http = new HttpClient { Timeout = TimeSpan.FromSeconds(5) }) {
            http.DefaultRequestHeaders.Add("Authorization", "Bearer " + token);
            http.DefaultRequestHeaders.Add("Idempotency-Key", "ntf-8812-1");
            var answer = await http.PostAsync(
                "${URL}",
                new StringContent(Event, Encoding.UTF8, "application/json"));

            var status = (int)answer.StatusCode;
            if (status == 202) Console.WriteLine("sent");
            else if (status == 429 || status >= 500)
                Console.WriteLine("send again after " + answer.Headers.RetryAfter);
            else Console.WriteLine(await answer.Content.ReadAsStringAsync());
        }
    }
}`,
  },
  {
    name: 'Java',
    language: 'java',
    source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

class Send {
    static final String EVENT = """
        ${indented(EVENT, 8)}""";

    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(
                URI.create("${URL}"))
            .timeout(Duration.ofSeconds(5))
            .header("Authorization", "Bearer " + System.getenv("API_TOKEN"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "ntf-8812-1")
            .POST(HttpRequest.BodyPublishers.ofString(EVENT))
            .build();
        var answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());

        var status = answer.statusCode();
        if (status == 202) System.out.println("sent");
        else if (status == 429 || status >= 500)
            System.out.println("send again after "
                + answer.headers().firstValue("Retry-After").orElse("1"));
        else System.out.println(answer.body());
    }
}`,
  },
  {
    name: 'JavaScript',
    language: 'javascript',
    source: `const event = ${JAVASCRIPT_EVENT};

const answer = await fetch('${URL}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.API_TOKEN}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'ntf-8812-1',
  },
  body: JSON.stringify(event),
  signal: AbortSignal.timeout(5000),
});

if (answer.status === 202) console.log('sent');
else if (answer.status === 429 || answer.status >= 500)
  console.log('send again after', answer.headers.get('Retry-After') ?? 1);
else console.log(await answer.json());`,
  },
  {
    name: 'Python',
    language: 'python',
    source: `import os
import requests

event = ${EVENT}

answer = requests.post(
    "${URL}",
    json=event,
    headers={
        "Authorization": f"Bearer {os.environ['API_TOKEN']}",
        "Idempotency-Key": "ntf-8812-1",
    },
    timeout=5,
)

if answer.status_code == 202:
    print("sent")
elif answer.status_code == 429 or answer.status_code >= 500:
    print("send again after", answer.headers.get("Retry-After", 1))
else:
    print(answer.json())`,
  },
  {
    name: 'PHP',
    language: 'php',
    source: `<?php
$event = ${PHP_EVENT};

$request = curl_init('${URL}');
curl_setopt_array($request, [
    CURLOPT_POSTFIELDS => json_encode($event, JSON_THROW_ON_ERROR),
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('API_TOKEN'),
        'Content-Type: application/json',
        'Idempotency-Key: ntf-8812-1',
    ],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
]);
$answer = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);

if ($status === 202) echo "sent\\n";
elseif ($status === 0 || $status === 429 || $status >= 500) echo "send again\\n";
else echo $answer;`,
  },
];
