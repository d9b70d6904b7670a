/** Answers that are remembered; then it starts over. What comes again mostly does so soon: in the same object, or the next. */
const LIMIT = 2_000;
/** Characters; about a longer text the same question hardly ever comes again. */
const LONGEST = 64;

/**
 * `answer`, which is worked out once for equal questions: 100,000 pods have few different times, amounts and names of
 * annotations between them. It must always be the same for the same question.
 */
export function memo<K extends string | number, V>(answer: (question: K) => V): (question: K) => V {
  const answers = new Map<K, { readonly answer: V }>();
  return (question) => {
    if (typeof question === "string" && question.length > LONGEST) return answer(question);
    const known = answers.get(question);
    if (known) return known.answer;
    if (answers.size >= LIMIT) answers.clear();
    const fresh = answer(question);
    answers.set(question, { answer: fresh });
    return fresh;
  };
}
