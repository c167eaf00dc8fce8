import { describe, expect, test } from "vitest";
import { aMessage, aStep, type RunStores, runEnded, runStarted, runTaken } from "../support/workflow.ts";

const conversation = { platform: "test", id: "c" };
const event = runStarted([aStep("plan")], { conversation });

/** The contract of a store of conversations. */
export function messagesContract(name: string, make: () => Promise<RunStores>): void {
  const opened = async () => (await (await make()).open()).runs;

  describe(`${name}: messages`, () => {
    test("are stored with the run that they start, or not at all", async () => {
      const store = await opened();
      const heard = await store.hear(aMessage("run it ✓"), { id: "r1", event }, 1_000);
      expect(heard).toEqual({ id: heard?.id, role: "user", content: "run it ✓", atMs: 1_000, run: "r1" });
      expect(await store.find("r1")).toMatchObject({ status: "queued", conversation, createdAtMs: 1_000 });
      await expect(store.hear(aMessage("again"), { id: "r1", event }, 2_000)).rejects.toMatchObject({
        code: "run-exists",
      });
      expect(await store.messages(conversation)).toEqual([heard]);
      const said = await store.hear(aMessage("**Step 1/1**", { role: "assistant", run: "r1" }), null, 900);
      expect(await store.messages(conversation)).toEqual([heard, said]);
    });

    test("are stored with the first entries of their run, or not at all", async () => {
      const store = await opened();
      const failed = runEnded("failed", "no agent");
      await store.hear(aMessage("run it"), { id: "r1", event, further: [failed] }, 1_000);
      expect(await store.find("r1")).toMatchObject({ status: "failed", detail: "no agent" });
      expect(await store.nextInLine(9)).toEqual([]);
      const wrong = { id: "r2", event, further: [failed, runTaken] };
      await expect(store.hear(aMessage("again"), wrong, 2_000)).rejects.toMatchObject({ code: "run-ended" });
      expect(await store.messages(conversation)).toHaveLength(1);
      expect(await store.list()).toHaveLength(1);
    });

    test("that arrive twice are stored once, and start nothing more", async () => {
      const stores = await make();
      const [mine, theirs] = [(await stores.open()).runs, (await stores.open()).runs];
      const message = aMessage("run it", { externalId: "ev1" });
      expect(await mine.hear(message, { id: "r1", event }, 1)).toMatchObject({ content: "run it" });
      expect(await theirs.hear(message, { id: "r2", event }, 2)).toBeNull();
      expect((await mine.list()).map(({ id }) => id)).toEqual(["r1"]);
      const elsewhere = { platform: "other", id: "c" };
      expect(await theirs.hear({ ...message, conversation: elsewhere }, null, 3)).not.toBeNull();
      for (const text of ["a", "a"]) expect(await mine.hear(aMessage(text), null, 4)).not.toBeNull();
      expect(await mine.messages(conversation)).toHaveLength(3);
    });

    test("are returned in order, in pages", async () => {
      const store = await opened();
      for (let n = 1; n <= 250; n++) {
        await store.hear(aMessage(`${n}`), null, 1_000 - n);
        if (n % 50 === 0) await store.hear(aMessage(`${n}`, { conversation: { platform: "test", id: "c2" } }), null, 1);
      }
      const said = async (page?: Parameters<typeof store.messages>[1], id = "c") =>
        (await store.messages({ platform: "test", id }, page)).map(({ content }) => Number(content));
      const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
      expect(await said()).toEqual(numbers(1, 200));
      expect(await said({ limit: 3 })).toEqual([1, 2, 3]);
      const first = (await store.messages(conversation, { limit: 100 })).at(-1);
      expect(await said({ after: first?.id ?? 0, limit: 999 })).toEqual(numbers(101, 250));
      expect(await said({ latest: true, limit: 3 })).toEqual([248, 249, 250]);
      expect(await said({ latest: true, limit: 999, after: first?.id ?? 0 })).toEqual(numbers(101, 250));
      expect(await said({}, "c2")).toEqual([50, 100, 150, 200, 250]);
      expect(await said({}, "none")).toEqual([]);
    });

    test("of several processes are all received, each once", async () => {
      const stores = await make();
      const store = (await stores.open()).runs;
      // Both send the same hundred.
      expect(await Promise.all([stores.hearElsewhere("c", 100), stores.hearElsewhere("c", 100)])).toEqual([
        "heard",
        "heard",
      ]);
      const contents = (await store.messages(conversation)).map(({ content }) => content);
      expect(contents).toEqual(Array.from({ length: 100 }, (_, i) => `c ${i + 1}`));
    });
  });
}
