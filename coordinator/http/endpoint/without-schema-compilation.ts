/**
 * Options of an endpoint on the hot path: its schema only describes it in the OpenAPI document. It checks what it
 * takes itself and writes its response as text, which costs a fraction of what a schema does.
 */
export const withoutSchemaCompilation = {
  validatorCompiler: () => () => true,
  serializerCompiler: () => (text: unknown) => String(text),
} as const;
