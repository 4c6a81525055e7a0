// The API of the server: questions as JSON, long ones as jobs that are listened to. Errors are one line.

export class Refusal extends Error {
  constructor(status, line) {
    super(line);
    this.status = status;
  }
}

async function send(method, path, body) {
  let response;
  try {
    response = await fetch(`/api/${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, "The server does not answer; is exactplay serve still running?");
  }
  const type = response.headers.get("content-type") ?? "";
  const data = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Refusal(response.status, data.error ?? `The server answers ${response.status}.`);
  return data;
}

export const get = (path) => send("GET", path);
export const post = (path, body) => send("POST", path, body);

/**
 * Ask a long question. `onJob` is told the job at each change ({status, progress, partial, result, ...}).
 * Returns {answer, cancel}: `answer` is a promise of the result; it is rejected with a Refusal when the job fails or is
 * cancelled. Leaving the page ends the job as well.
 */
export function ask(path, body, onJob = () => {}) {
  let id, source;
  let given = false;
  const cancel = async () => {
    given = true;
    if (id) await send("DELETE", `jobs/${id}`);
  };
  const answer = (async () => {
    const job = await post(path, body);
    id = job.id;
    if (given) await cancel();
    onJob(job);
    return over(job) ? settled(job) : new Promise((resolve, reject) => {
      source = new EventSource(`/api/jobs/${id}/events`);
      source.addEventListener("job", (event) => {
        const now = JSON.parse(event.data);
        onJob(now);
        if (!over(now)) return;
        source.close();
        try {
          resolve(settled(now));
        } catch (refusal) {
          reject(refusal);
        }
      });
      source.addEventListener("error", () => {
        // The browser tries again by itself unless the server has refused.
        if (source.readyState === EventSource.CLOSED) reject(new Refusal(0, "The server has forgotten this question."));
      });
    });
  })();
  return { answer, cancel };
}

const over = (job) => ["done", "failed", "cancelled"].includes(job.status);

function settled(job) {
  if (job.status === "done") return job.result;
  throw new Refusal(job.status === "cancelled" ? 499 : 500, job.error);
}

/** Show an error in the page's line for problems (read out by screen readers); nothing clears it. */
export function report(error) {
  const line = document.getElementById("problem");
  line.textContent = error ? error.message ?? String(error) : "";
  if (error && !(error instanceof Refusal)) console.error(error);
}

/** Run an asynchronous action; what goes wrong is shown as one line. */
export async function attempt(action) {
  report(null);
  try {
    return await action();
  } catch (error) {
    report(error);
    return undefined;
  }
}
