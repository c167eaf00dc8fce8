import { useEffect, useRef, useState } from "preact/hooks";
import type { listMessages } from "../../../core/schema/api-conversations.ts";
import type { AnswerOf } from "../answer-of.ts";
import { type Answer, type Failure, get, post, viewer } from "../api.ts";
import { Failed } from "../parts/empty-state.tsx";
import { Form, Submit } from "../parts/form.tsx";
import { MarkedText } from "../parts/marked-text.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { reported } from "../parts/toast.tsx";
import { useRepeated, useTouched } from "../resource.ts";
import { hrefOf, queryValue } from "../router.ts";

type MessagePage = AnswerOf<typeof listMessages>;
type Message = MessagePage["messages"][number];

const PAGE = 200;
const WHO = { user: "You", assistant: "Agent", system: "Ralph" } as const;

/** The messages of a conversation; new ones are read as the live view names them. */
function useMessages(platform: string, id: string) {
  const [messages, setMessages] = useState<readonly Message[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const last = useRef(0);
  const path = `/api/conversations/${encodeURIComponent(platform)}/${encodeURIComponent(id)}/messages`;
  // Each reading begins after the last message of the one before.
  const read = useRepeated(path, async (quit) => {
    for (let next: number | null = last.current; next !== null; ) {
      const answer: Answer<MessagePage> = await get(`${path}?after=${next}&limit=${PAGE}`, quit);
      if (quit.aborted) return;
      if (!answer.ok) return setFailure(answer);
      const more = answer.value.messages;
      last.current = more.at(-1)?.id ?? last.current;
      setFailure(null);
      setMessages((before) => [...(before ?? []), ...more]);
      next = answer.value.next;
    }
  });
  useTouched([`message/${platform}:${id}`], read);
  return { messages, failure, read };
}

/** One conversation with a workflow, and a field to answer. */
export function Conversation({ id }: { id: string }) {
  const platform = queryValue("platform") || "http";
  const { messages, failure, read } = useMessages(platform, id);
  const end = useRef<HTMLDivElement>(null);
  const count = messages?.length ?? 0;
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  const run = messages?.findLast((message) => message.run !== null)?.run ?? null;
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>Conversation</h1>
        <span class="id">{id}</span>
        {run && (
          <div class="page-actions">
            <a class="button" href={hrefOf("runs", run)}>
              Open run
            </a>
          </div>
        )}
      </div>
      {failure && <Failed failure={failure} retry={read} />}
      {!messages && !failure && <Skeleton lines={4} />}
      <ol class="talk" aria-live="polite">
        {messages?.map((message) => (
          <TalkMessage key={message.id} message={message} />
        ))}
      </ol>
      <div ref={end} />
      {platform === "http" && !viewer.value && <AnswerForm id={id} sent={read} />}
    </>
  );
}

function TalkMessage({ message: { role, content, at } }: { message: Message }) {
  return (
    <li class={`said by-${role}`}>
      <p class="said-head">
        <strong>{WHO[role]}</strong>{" "}
        <time dateTime={at} class="soft">
          {new Date(at).toLocaleString()}
        </time>
      </p>
      <div class="said-text">
        <MarkedText text={content} />
      </div>
    </li>
  );
}

function AnswerForm({ id, sent }: { id: string; sent(): void }) {
  const [text, setText] = useState("");
  const send = async () => {
    if (text.trim() === "") return;
    const answer = await post("/test/message", { conversationId: id, message: text });
    if (!reported(answer, "The message was sent.")) return;
    setText("");
    sent();
  };
  return (
    <Form class="answer" onSubmit={send}>
      <textarea
        class="input"
        rows={2}
        aria-label="Message"
        placeholder="A message: a request, “status” or “cancel”. Ctrl+Enter sends it."
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <Submit>Send</Submit>
    </Form>
  );
}
