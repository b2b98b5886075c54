/** Orders texts by how well they answer a query: one score a text, higher is better. */
export interface Reranker {
  id: string;
  rerank(query: string, texts: readonly string[], o: { signal?: AbortSignal }): Promise<number[]>;
}
