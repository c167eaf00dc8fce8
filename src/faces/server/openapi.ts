import {
  componentSchemas,
  errorAnswer,
  type Fields,
  fieldSchema,
  nameOf,
  type Operation,
} from "../../core/schema/api.ts";
import { VERSION } from "../../core/version.ts";

export function openApiOf(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Ralph",
      version: VERSION,
      description:
        "Loops, tasks, workflows and their proof, over HTTP. Keys may be added to answers, but are never removed.",
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    security: [TOKEN, SESSION],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "`ralph serve --token` prints it" },
        cookie: { type: "apiKey", in: "cookie", name: "ralph-3000", description: "a session; its name has the port" },
        key: { type: "apiKey", in: "header", name: "X-Ralph-Key", description: "the same session's key" },
        ...signatureSchemes(operations),
      },
    },
  };
}

const TOKEN = { token: [] };
/** A session needs both. */
const SESSION = { cookie: [], key: [] };

const signatureSchemes = (operations: readonly Operation[]) =>
  Object.fromEntries(
    operations.flatMap(({ access }) =>
      typeof access === "object"
        ? [[access.header, { type: "apiKey", in: "header", name: access.header, description: access.description }]]
        : [],
    ),
  );

function operationObject(operation: Operation) {
  const { id, tag, summary, access, params, query, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(access === "open" || access === "login" ? { security: [] } : {}),
    ...(access === "token" ? { security: [TOKEN] } : {}),
    ...(typeof access === "object" ? { security: [{ [access.header]: [] }] } : {}),
    parameters: [...parametersIn("path", params), ...parametersIn("query", query)],
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: nameOf(body) } } } } : {}),
    responses: { ...goodAnswer(operation), default: REFUSED },
  };
}

const REFUSED = {
  description: "why the request was refused, and how to fix it",
  content: { "application/json": { schema: nameOf(errorAnswer) } },
};

function goodAnswer({ status, answer }: Operation) {
  if ("media" in answer) {
    return { [status]: { description: answer.description, content: { [answer.media]: { schema: {} } } } };
  }
  return { [status]: { description: "done", content: { "application/json": { schema: nameOf(answer) } } } };
}

const parametersIn = (place: "path" | "query", fields: Fields) =>
  Object.entries(fields).map(([name, field]) => {
    const { schema, required, description } = fieldSchema(field);
    return { name, in: place, required: place === "path" || required, description, schema };
  });
