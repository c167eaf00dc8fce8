import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, type LanguageModel } from "ai";
import { messageOf } from "../../core/errors.ts";
import { shorten } from "../../core/excerpt.ts";
import type { Reply } from "../../core/judge/question.ts";
import type { JudgeSpec } from "../../core/proof/proof.ts";
import { hideSecrets } from "../../core/secrets.ts";
import { NO_USAGE } from "../../core/usage.ts";

interface HttpQuestion {
  judge: JudgeSpec & { by: "http" };
  key: string;
  question: string;
  timeoutMs: number;
  quit: AbortSignal;
}

const WHY_CHARS = 300;
const ANSWER_BYTES = 4 << 20;
/** Anthropic's API requires a limit; several OpenAI models reject one. */
const ANSWER_TOKENS = 8_000;
const BASE_URLS = { anthropic: "https://api.anthropic.com/v1", openai: "https://api.openai.com/v1" };

// Its warnings would appear in the output of the loop.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Asks a model over HTTP once. Never throws, and never prints the key. */
export async function askOverHttp({ judge, key, question, timeoutMs, quit }: HttpQuestion): Promise<Reply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { text, usage } = await generateText({
      model: modelOf(judge, key),
      prompt: question,
      maxRetries: 0,
      abortSignal: AbortSignal.any([timeout, quit]),
      ...(judge.dialect === "anthropic" ? { maxOutputTokens: ANSWER_TOKENS } : {}),
    });
    const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = usage;
    const cachedTokens = inputTokenDetails.cacheReadTokens ?? 0;
    return { is: "answered", text, usage: { inputTokens, outputTokens, cachedTokens, costUsd: 0 } };
  } catch (error) {
    if (quit.aborted) return { is: "stopped", usage: NO_USAGE };
    if (timeout.aborted) return unavailable(`no answer within ${Math.round(timeoutMs / 1_000)}s`, false);
    return failureOf(error, key);
  }
}

function modelOf({ dialect, baseUrl, model }: HttpQuestion["judge"], key: string): LanguageModel {
  const baseURL = baseUrl ?? BASE_URLS[dialect];
  if (dialect === "anthropic") return createAnthropic({ baseURL, apiKey: key, fetch: carefully })(model);
  return createOpenAICompatible({ name: dialect, baseURL, apiKey: key, fetch: carefully })(model);
}

/** Follows no redirect, which would forward the key, and limits the length of an answer. */
const carefully: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "manual" });
  let bytes = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) controller.error(new Error("the answer is too long"));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(bounded) ?? null, { status, statusText, headers });
};

const unavailable = (why: string, again: boolean, retryAfterMs?: number): Reply => ({
  is: "unavailable",
  why,
  again,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  usage: NO_USAGE,
});

const TRY_AGAIN = new Set([408, 409, 425, 429]);

function failureOf(error: unknown, key: string): Reply {
  const message = messageOf(error);
  const words = shorten(hideSecrets(message.replaceAll(key, "***")), WHY_CHARS);
  if (!APICallError.isInstance(error)) return { is: "refused", why: words, usage: NO_USAGE };
  const { statusCode, responseHeaders } = error;
  if (statusCode === undefined) return unavailable(words, true);
  const why = `HTTP ${statusCode}: ${words}`;
  if (TRY_AGAIN.has(statusCode) || statusCode >= 500) return unavailable(why, true, retryAfter(responseHeaders));
  return { is: "refused", why, usage: NO_USAGE };
}

function retryAfter(headers: Record<string, string> | undefined): number | undefined {
  const seconds = Number(headers?.["retry-after"]);
  return Number.isFinite(seconds) && seconds >= 0 && headers?.["retry-after"] ? seconds * 1_000 : undefined;
}
